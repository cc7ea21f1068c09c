-- What a report says beyond what rates the round: mode, mutators, and each player's numbers of the
-- scoreboard. It stands apart from the report, which the version before goes on reading; a round without
-- any of it has no row. Where a round is pruned, the row goes with it.
create table scoreboards (
    pool_id bigint not null,
    position bigint not null,
    -- Binary.
    content blob not null,
    primary key (pool_id, position),
    foreign key (pool_id, position) references rounds (pool_id, position) on delete cascade
) without rowid;
