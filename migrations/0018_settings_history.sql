-- Since when which constants have counted in a pool is found without reading its rounds. One text for both engines.
create index rounds_by_settings on rounds (pool_id, settings_id, position);
