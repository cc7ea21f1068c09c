-- Since when which constants have counted in a pool is found without reading its rounds. The constants come first, so
-- that no search of a pool's rounds takes this index for its own. One text for both engines.
create index rounds_by_settings on rounds (settings_id, pool_id, position);
