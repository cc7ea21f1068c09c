-- What each game server said of itself at its last POST /v1/hello. It is no part of the log: no rating hangs on it.
-- One text for both engines.

create table servers (
    server text not null primary key,
    -- The version of its plugin, such as 1.2.0; null where the request named none.
    plugin text,
    -- The fingerprint of the secret that the request had.
    secret text not null,
    hello_at bigint not null
);
