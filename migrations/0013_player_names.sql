-- What players are called, for people to read. It is no part of the log: no rating hangs on it, and no round
-- has a name. One text for both engines.

create table player_names (
    player_id bigint not null primary key,
    -- As a game server last sent it, and when; null where none did, and of whoever is forgotten.
    name text,
    named_at bigint not null,
    -- What an admin calls the player, which stands above the name.
    alias text,
    -- Both in lower case, to be found by.
    folded_name text,
    folded_alias text,
    -- When the player was forgotten: names that come later are not kept.
    forgotten_at bigint,
    -- Counts those whose ids are not shown either, from 1; stands in place of the id.
    pseudonym bigint unique
);
