-- Every time that a match was found unbalanced in mid-round, and what was answered. It is no part of
-- the log: no rating hangs on it, and what is old is deleted.
create table interventions (
    id bigint not null primary key,
    pool_id bigint not null references pools (id),
    server text not null,
    -- A plugin that asks again before it has moved anybody is answered the same: that is one row.
    first_asked_at bigint not null,
    last_asked_at bigint not null,
    asked bigint not null,
    policy text not null,
    -- JSON: why, for every rule that says so: rule, value, limit, detail.
    reasons text not null,
    -- JSON: who should change teams: id, from, to, with.
    moves text not null,
    -- The teams as they stood, and once all of it is done: players, bots, sums by what the policy
    -- weighs, and the probability that team a wins, by the ratings.
    size_a_before bigint not null,
    size_b_before bigint not null,
    bots_a_before bigint not null,
    bots_b_before bigint not null,
    sum_a_before double precision not null,
    sum_b_before double precision not null,
    win_probability_a_before double precision not null,
    size_a_after bigint not null,
    size_b_after bigint not null,
    bots_a_after bigint not null,
    bots_b_after bigint not null,
    sum_a_after double precision not null,
    sum_b_after double precision not null,
    win_probability_a_after double precision not null,
    -- 1 where the teams are balanced once all of it is done, else 0.
    balanced_after bigint not null
);

-- For lists of a pool's by time, and of a server's; and to find what is asked again.
create index interventions_by_time on interventions (pool_id, first_asked_at, id);
create index interventions_by_server on interventions (pool_id, server, first_asked_at, id);
create index interventions_by_last_asked on interventions (pool_id, server, last_asked_at);
