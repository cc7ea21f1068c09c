-- Which secret a round and a player's name came with, so that what a stolen one has sent can be taken back. One text
-- for both engines.

-- The fingerprint of the secret; null of what a file brought, and of what came before this migration.
alter table rounds add column secret text;
create index rounds_by_secret on rounds (pool_id, secret, received_at) where secret is not null;

-- The same of the name, and when that arrived: `named_at` may be when a round ended.
alter table player_names add column secret text;
alter table player_names add column received_at bigint;
