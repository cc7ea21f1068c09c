-- A pool can be rated by another model than SynElo, which remembers more than ratings and windows.
--
-- The version before writes none of these columns, and rates every pool by SynElo: a pool is switched to
-- another model only once no instance of it runs any more.

-- The model that computed what counts, and what it has learnt of the pool; null where that is nothing.
alter table pools add column model text not null default 'synelo';
alter table pools add column model_state blob;
-- What the model remembers of the player; null where that is nothing.
alter table players add column model_state blob;
