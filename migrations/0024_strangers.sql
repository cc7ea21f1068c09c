-- What game servers say of players and servers that there may not be is bounded. One text for both engines.

-- When the name of somebody came who has played in no pool; null of everybody else.
alter table player_names add column stranger_since bigint;
create index player_names_strangers on player_names (stranger_since) where stranger_since is not null;

create index past_split_tables_by_time on past_split_tables (computed_at);
