-- Sessions of the dashboard that somebody has logged out of, for all instances and over restarts. One text for both
-- engines.

create table ended_sessions (
    id text not null primary key,
    -- When the session would have been over anyway. Then the row goes.
    ends_at bigint not null
);
