-- What game servers are to be told along with their next answers. It is no part of the log: no rating hangs on it,
-- and what has been read, replaced or is too old is deleted. One text for both engines.

create table notices (
    server text not null,
    name text not null,
    -- What it is about: scramble, rating.
    kind text not null,
    -- Whom it concerns, and the rating since then, where it is about one player.
    player_id bigint,
    rating bigint,
    -- All of it in a sentence.
    say text not null,
    made_at bigint not null,
    expires_at bigint not null,
    primary key (server, name)
);
