-- Models that predict the rounds of a pool beside its own: who follows the pool's log for them, and how well
-- they did. Nothing else follows from it; a program that finds nothing reads the log from its beginning.

create table challengers (
    pool_id bigint not null primary key references pools (id),
    -- The program that follows the log, and when it was last heard of.
    owner text not null,
    renewed_at bigint not null,
    -- What the figures follow from: this generation of the pool's results, behind what was pruned up to this
    -- place, with these constants.
    generation bigint not null default 0,
    pruned bigint not null default 0,
    settings_id bigint not null default 0,
    -- The last place of the log that is in the figures, and how many of the pool's rounds counted up to there.
    position bigint not null default 0,
    rounds bigint not null default 0,
    -- JSON; null before the first.
    figures text
);
