PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL,
    checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL
);
INSERT INTO _sqlx_migrations VALUES(1,'tables','2026-11-29 20:20:02',1,X'cbd471c591fcee7d5fc35548d883f2334227d2133767b8aefeea1ffeec472e7d854571a75db686f9f6b37386a989536d',5428346);
CREATE TABLE pools (
    id bigint not null primary key,
    name text not null unique,
    -- Number of positions given out in the pool's log. Rounds and admin changes are numbered together.
    log_length bigint not null,
    -- Sums over every round of the pool that counts, added up in the order of the log.
    rounds bigint not null,
    draws bigint not null,
    brier double precision not null,
    log_loss double precision not null,
    right_halves bigint not null,
    score_halves bigint not null,
    -- Sums over the pool's rounds that had a favourite, from the favourite's side.
    favourites bigint not null,
    favourite_predicted double precision not null,
    favourite_score_halves bigint not null,
    favourite_brier double precision not null,
    -- JSON: for each tenth of predictions, a list: number of rounds, sum of team a's win probabilities (in 2^-32), and
    -- sum of team a's scores in halves.
    calibration text not null,
    -- JSON: for each bucket of players by earlier rounds, a list: number of times rated, and sums of K-factor and
    -- convergence (F3) in units of 2^-20.
    experience text not null,
    -- Active generation (version of the pool's computed rows), from 1. Rows of a higher generation do not count yet.
    generation bigint not null,
    -- Generation (version of the pool's computed rows) up to which replaced rows are deleted.
    cleared bigint not null,
    -- Generation (version of the pool's computed rows) whose rows of `players` are read.
    players_generation bigint not null default 0,
    -- Last position of the pool's log up to which all rounds are pruned; 0 if no round is.
    pruned bigint not null default 0,
    -- Name of the rating model that computed the pool's current figures.
    model text not null default 'synelo',
    -- Time of the last check of the pool's season calendar, and its months then (bit n for month n, 1 to 12). A start
    -- date that passed while the service was down thus differs from one before the calendar was set. Null without a
    -- calendar.
    calendar_looked_at bigint,
    calendar_months bigint,
    -- What the pool's chat was told last, by subject, as JSON, so that one of several instances tells it.
    told text not null default '{}'
, model_state blob);
INSERT INTO pools VALUES(1,'arena',13,12,0,1.9495028813843464643,6.1911904568871687359,24,24,12,7.163452865389084323,24,1.9495028813843464643,'[[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[10,25589768150,20],[2,5177027632,4],[0,0,0],[0,0,0],[0,0,0]]','[[18,1358954496,18874368],[43,2002849642,27393100],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0]]',1,1,0,0,'synelo',NULL,NULL,'{}',NULL);
INSERT INTO pools VALUES(2,'default',49,48,12,11.097170872967550891,37.607575071856423677,26,36,45,27.692351634096841195,34,10.350546500975505992,'[[0,0,0],[0,0,0],[0,0,0],[0,0,0],[3,6390107997,2],[10,25564734923,12],[34,90359596414,22],[1,3013413280,0],[0,0,0],[0,0,0]]','[[17,1283457024,17825792],[68,3588174474,49524543],[85,2681337613,40321938],[74,1895339341,27942089],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0]]',1,1,0,0,'synelo',NULL,NULL,'{}',NULL);
CREATE TABLE settings (
    id bigint not null primary key,
    -- JSON: the constants by their names in the configuration.
    content text not null unique
);
INSERT INTO settings VALUES(1,'{"initial_rating":1000,"min_rating":100,"graduation_cap":2200,"shadow_rounds":50,"stale_days":30,"k_min":2.0,"k_max":72.0,"theta":2400.0,"window":8,"weight_velocity":0.25,"weight_win_rate":0.25,"weight_volatility":0.5,"win_rate_tolerance":0.1,"sigma":400.0,"participation_half_life":0}');
INSERT INTO settings VALUES(2,'{"initial_rating":1000,"min_rating":100,"graduation_cap":2200,"shadow_rounds":50,"stale_days":30,"k_min":2.0,"k_max":72.0,"theta":2400.0,"window":500,"weight_velocity":0.25,"weight_win_rate":0.25,"weight_volatility":0.5,"win_rate_tolerance":0.1,"sigma":400.0,"participation_half_life":0}');
CREATE TABLE rounds (
    pool_id bigint not null references pools (id),
    position bigint not null,
    server text not null,
    round_id text not null,
    ended_at bigint not null,
    received_at bigint not null,
    -- JSON: the round as reported, with the time and pool that it was counted with.
    report text not null,
    settings_id bigint not null references settings (id),
    -- Log position of the change that voided the round; null while the round counts. Copied from `changes`.
    voided_at bigint,
    -- Winner of the round as an admin corrected it; null without a correction. Copied from `changes`.
    corrected_winner text,
    -- The fingerprint of the secret that reported the round; null for imported rounds.
    secret text,
    primary key (pool_id, position),
    -- Makes retries of a report safe: no round is counted twice, even if sent to several instances.
    unique (server, round_id)
);
INSERT INTO rounds VALUES(2,1,'public-1','public-1:1',1763640060000000,1795983602071076,'{"round_id":"public-1:1","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:01:00Z","pool":"default","winner":"draw","team_a":["76561197960265736","76561197960265741",{"id":"76561197960265729","participated":false}],"team_b":["76561197960265734","76561197960265739",{"id":"76561197960265744","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,2,'public-1','public-1:2',1763640120000000,1795983602071076,'{"round_id":"public-1:2","server":"public-1","ended_at":"2025-11-20T12:02:00Z","pool":"default","winner":"b","team_a":["76561197960265743","76561197960265731",{"id":"76561197960265736","participated":false}],"team_b":["76561197960265741","76561197960265729",{"id":"76561197960265734","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,3,'public-1','public-1:3',1763640180000000,1795983602071076,'{"round_id":"public-1:3","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:03:00Z","pool":"default","winner":"b","team_a":["76561197960265733","76561197960265738",{"id":"76561197960265743","participated":false}],"team_b":["76561197960265731","76561197960265736",{"id":"76561197960265741","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,4,'public-1','public-1:4',1763640240000000,1795983602071076,'{"round_id":"public-1:4","server":"public-1","ended_at":"2025-11-20T12:04:00Z","pool":"default","winner":"a","team_a":["76561197960265740","76561197960265745",{"id":"76561197960265733","participated":false}],"team_b":["76561197960265738","76561197960265743",{"id":"76561197960265731","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(1,1,'arena-1','arena-1:5',1763640300000000,1795983602094265,'{"round_id":"arena-1:5","server":"arena-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:05:00Z","pool":"arena","winner":"a","team_a":["76561197960265730","76561197960265735",{"id":"76561197960265740","participated":false}],"team_b":["76561197960265745","76561197960265733",{"id":"76561197960265738","at_start":false}]}',1,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,5,'public-1','public-1:6',1763640360000000,1795983602111161,'{"round_id":"public-1:6","server":"public-1","ended_at":"2025-11-20T12:06:00Z","pool":"default","winner":"draw","team_a":["76561197960265737","76561197960265742",{"id":"76561197960265730","participated":false}],"team_b":["76561197960265735","76561197960265740",{"id":"76561197960265745","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,6,'public-1','public-1:7',1763639880000000,1795983602111161,'{"round_id":"public-1:7","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T11:58:00Z","pool":"default","winner":"b","team_a":["76561197960265744","76561197960265732",{"id":"76561197960265737","participated":false}],"team_b":["76561197960265742","76561197960265730",{"id":"76561197960265735","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,7,'public-1','public-1:8',1763640480000000,1795983602111161,'{"round_id":"public-1:8","server":"public-1","ended_at":"2025-11-20T12:08:00Z","pool":"default","winner":"b","team_a":["76561197960265734","76561197960265739",{"id":"76561197960265744","participated":false}],"team_b":["76561197960265732","76561197960265737",{"id":"76561197960265742","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,8,'public-1','public-1:9',1763640540000000,1795983602111161,'{"round_id":"public-1:9","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:09:00Z","pool":"default","winner":"a","team_a":["76561197960265741","76561197960265729",{"id":"76561197960265734","participated":false}],"team_b":["76561197960265739","76561197960265744",{"id":"76561197960265732","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(1,2,'arena-1','arena-1:10',1763640600000000,1795983602139193,'{"round_id":"arena-1:10","server":"arena-1","ended_at":"2025-11-20T12:10:00Z","pool":"arena","winner":"a","team_a":["76561197960265731","76561197960265736",{"id":"76561197960265741","participated":false}],"team_b":["76561197960265729","76561197960265734",{"id":"76561197960265739","at_start":false}]}',1,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,9,'public-1','public-1:11',1763640660000000,1795983602171176,'{"round_id":"public-1:11","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:11:00Z","pool":"default","winner":"draw","team_a":["76561197960265738","76561197960265743",{"id":"76561197960265731","participated":false}],"team_b":["76561197960265736","76561197960265741",{"id":"76561197960265729","at_start":false},{"id":"76561197960265731","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,10,'public-1','public-1:12',1763640720000000,1795983602171176,'{"round_id":"public-1:12","server":"public-1","ended_at":"2025-11-20T12:12:00Z","pool":"default","winner":"b","team_a":["76561197960265745","76561197960265733",{"id":"76561197960265738","participated":false}],"team_b":["76561197960265743","76561197960265731",{"id":"76561197960265736","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,11,'public-1','public-1:13',1763640780000000,1795983602171176,'{"round_id":"public-1:13","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:13:00Z","pool":"default","winner":"b","team_a":["76561197960265735","76561197960265740",{"id":"76561197960265745","participated":false}],"team_b":["76561197960265733","76561197960265738",{"id":"76561197960265743","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,12,'public-1','public-1:14',1763640300000000,1795983602171176,'{"round_id":"public-1:14","server":"public-1","ended_at":"2025-11-20T12:05:00Z","pool":"default","winner":"a","team_a":["76561197960265742","76561197960265730",{"id":"76561197960265735","participated":false}],"team_b":["76561197960265740","76561197960265745",{"id":"76561197960265733","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(1,3,'arena-1','arena-1:15',1763640900000000,1795983602216740,'{"round_id":"arena-1:15","server":"arena-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:15:00Z","pool":"arena","winner":"a","team_a":["76561197960265732","76561197960265737",{"id":"76561197960265742","participated":false}],"team_b":["76561197960265730","76561197960265735",{"id":"76561197960265740","at_start":false}]}',1,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,13,'public-1','public-1:16',1763640960000000,1795983602234938,'{"round_id":"public-1:16","server":"public-1","ended_at":"2025-11-20T12:16:00Z","pool":"default","winner":"draw","team_a":["76561197960265739","76561197960265744",{"id":"76561197960265732","participated":false}],"team_b":["76561197960265737","76561197960265742",{"id":"76561197960265730","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,14,'public-1','public-1:17',1763641020000000,1795983602234938,'{"round_id":"public-1:17","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:17:00Z","pool":"default","winner":"b","team_a":["76561197960265729","76561197960265734",{"id":"76561197960265739","participated":false}],"team_b":["76561197960265744","76561197960265732",{"id":"76561197960265737","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,15,'public-1','public-1:18',1763641080000000,1795983602234938,'{"round_id":"public-1:18","server":"public-1","ended_at":"2025-11-20T12:18:00Z","pool":"default","winner":"b","team_a":["76561197960265736","76561197960265741",{"id":"76561197960265729","participated":false}],"team_b":["76561197960265734","76561197960265739",{"id":"76561197960265744","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,16,'public-1','public-1:19',1763641140000000,1795983602234938,'{"round_id":"public-1:19","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:19:00Z","pool":"default","winner":"a","team_a":["76561197960265743","76561197960265731",{"id":"76561197960265736","participated":false}],"team_b":["76561197960265741","76561197960265729",{"id":"76561197960265734","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(1,4,'arena-1','arena-1:20',1763641200000000,1795983602245648,'{"round_id":"arena-1:20","server":"arena-1","ended_at":"2025-11-20T12:20:00Z","pool":"arena","winner":"a","team_a":["76561197960265733","76561197960265738",{"id":"76561197960265743","participated":false}],"team_b":["76561197960265731","76561197960265736",{"id":"76561197960265741","at_start":false}]}',1,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,18,'public-1','public-1:21',1763640720000000,1795983602267256,'{"round_id":"public-1:21","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:12:00Z","pool":"default","winner":"draw","team_a":["76561197960265740","76561197960265745",{"id":"76561197960265733","participated":false}],"team_b":["76561197960265738","76561197960265743",{"id":"76561197960265731","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,19,'public-1','public-1:22',1763641320000000,1795983602267256,'{"round_id":"public-1:22","server":"public-1","ended_at":"2025-11-20T12:22:00Z","pool":"default","winner":"b","team_a":["76561197960265730","76561197960265735",{"id":"76561197960265740","participated":false}],"team_b":["76561197960265745","76561197960265733",{"id":"76561197960265738","at_start":false},{"id":"76561197960265740","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,20,'public-1','public-1:23',1763641380000000,1795983602267256,'{"round_id":"public-1:23","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:23:00Z","pool":"default","winner":"b","team_a":["76561197960265737","76561197960265742",{"id":"76561197960265730","participated":false}],"team_b":["76561197960265735","76561197960265740",{"id":"76561197960265745","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,21,'public-1','public-1:24',1763641440000000,1795983602267256,'{"round_id":"public-1:24","server":"public-1","ended_at":"2025-11-20T12:24:00Z","pool":"default","winner":"a","team_a":["76561197960265744","76561197960265732",{"id":"76561197960265737","participated":false}],"team_b":["76561197960265742","76561197960265730",{"id":"76561197960265735","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(1,5,'arena-1','arena-1:25',1763641500000000,1795983602276134,'{"round_id":"arena-1:25","server":"arena-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:25:00Z","pool":"arena","winner":"a","team_a":["76561197960265734","76561197960265739",{"id":"76561197960265744","participated":false}],"team_b":["76561197960265732","76561197960265737",{"id":"76561197960265742","at_start":false}]}',1,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,22,'public-1','public-1:26',1763641560000000,1795983602304718,'{"round_id":"public-1:26","server":"public-1","ended_at":"2025-11-20T12:26:00Z","pool":"default","winner":"draw","team_a":["76561197960265741","76561197960265729",{"id":"76561197960265734","participated":false}],"team_b":["76561197960265739","76561197960265744",{"id":"76561197960265732","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,23,'public-1','public-1:27',1763641620000000,1795983602304718,'{"round_id":"public-1:27","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:27:00Z","pool":"default","winner":"b","team_a":["76561197960265731","76561197960265736",{"id":"76561197960265741","participated":false}],"team_b":["76561197960265729","76561197960265734",{"id":"76561197960265739","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,24,'public-1','public-1:28',1763641140000000,1795983602304718,'{"round_id":"public-1:28","server":"public-1","ended_at":"2025-11-20T12:19:00Z","pool":"default","winner":"b","team_a":["76561197960265738","76561197960265743",{"id":"76561197960265731","participated":false}],"team_b":["76561197960265736","76561197960265741",{"id":"76561197960265729","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,25,'public-1','public-1:29',1763641740000000,1795983602304718,'{"round_id":"public-1:29","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:29:00Z","pool":"default","winner":"a","team_a":["76561197960265745","76561197960265733",{"id":"76561197960265738","participated":false}],"team_b":["76561197960265743","76561197960265731",{"id":"76561197960265736","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(1,6,'arena-1','arena-1:30',1763641800000000,1795983602321681,'{"round_id":"arena-1:30","server":"arena-1","ended_at":"2025-11-20T12:30:00Z","pool":"arena","winner":"a","team_a":["76561197960265735","76561197960265740",{"id":"76561197960265745","participated":false}],"team_b":["76561197960265733","76561197960265738",{"id":"76561197960265743","at_start":false}]}',1,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,26,'public-1','public-1:31',1763641860000000,1795983602341835,'{"round_id":"public-1:31","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:31:00Z","pool":"default","winner":"draw","team_a":["76561197960265742","76561197960265730",{"id":"76561197960265735","participated":false}],"team_b":["76561197960265740","76561197960265745",{"id":"76561197960265733","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,27,'public-1','public-1:32',1763641920000000,1795983602341835,'{"round_id":"public-1:32","server":"public-1","ended_at":"2025-11-20T12:32:00Z","pool":"default","winner":"b","team_a":["76561197960265732","76561197960265737",{"id":"76561197960265742","participated":false}],"team_b":["76561197960265730","76561197960265735",{"id":"76561197960265740","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,28,'public-1','public-1:33',1763641980000000,1795983602341835,'{"round_id":"public-1:33","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:33:00Z","pool":"default","winner":"b","team_a":["76561197960265739","76561197960265744",{"id":"76561197960265732","participated":false}],"team_b":["76561197960265737","76561197960265742",{"id":"76561197960265730","at_start":false},{"id":"76561197960265732","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,29,'public-1','public-1:34',1763642040000000,1795983602341835,'{"round_id":"public-1:34","server":"public-1","ended_at":"2025-11-20T12:34:00Z","pool":"default","winner":"a","team_a":["76561197960265729","76561197960265734",{"id":"76561197960265739","participated":false}],"team_b":["76561197960265744","76561197960265732",{"id":"76561197960265737","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(1,7,'arena-1','arena-1:35',1763641560000000,1795983602357759,'{"round_id":"arena-1:35","server":"arena-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:26:00Z","pool":"arena","winner":"a","team_a":["76561197960265736","76561197960265741",{"id":"76561197960265729","participated":false}],"team_b":["76561197960265734","76561197960265739",{"id":"76561197960265744","at_start":false}]}',1,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,30,'public-1','public-1:36',1763642160000000,1795983602376674,'{"round_id":"public-1:36","server":"public-1","ended_at":"2025-11-20T12:36:00Z","pool":"default","winner":"draw","team_a":["76561197960265743","76561197960265731",{"id":"76561197960265736","participated":false}],"team_b":["76561197960265741","76561197960265729",{"id":"76561197960265734","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,31,'public-1','public-1:37',1763642220000000,1795983602376674,'{"round_id":"public-1:37","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:37:00Z","pool":"default","winner":"b","team_a":["76561197960265733","76561197960265738",{"id":"76561197960265743","participated":false}],"team_b":["76561197960265731","76561197960265736",{"id":"76561197960265741","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,32,'public-1','public-1:38',1763642280000000,1795983602376674,'{"round_id":"public-1:38","server":"public-1","ended_at":"2025-11-20T12:38:00Z","pool":"default","winner":"b","team_a":["76561197960265740","76561197960265745",{"id":"76561197960265733","participated":false}],"team_b":["76561197960265738","76561197960265743",{"id":"76561197960265731","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,33,'public-1','public-1:39',1763642340000000,1795983602376674,'{"round_id":"public-1:39","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:39:00Z","pool":"default","winner":"a","team_a":["76561197960265730","76561197960265735",{"id":"76561197960265740","participated":false}],"team_b":["76561197960265745","76561197960265733",{"id":"76561197960265738","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(1,8,'arena-1','arena-1:40',1763642400000000,1795983602392679,'{"round_id":"arena-1:40","server":"arena-1","ended_at":"2025-11-20T12:40:00Z","pool":"arena","winner":"a","team_a":["76561197960265737","76561197960265742",{"id":"76561197960265730","participated":false}],"team_b":["76561197960265735","76561197960265740",{"id":"76561197960265745","at_start":false}]}',1,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,34,'public-1','public-1:41',1763642460000000,1795983602441482,'{"round_id":"public-1:41","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:41:00Z","pool":"default","winner":"draw","team_a":["76561197960265744","76561197960265732",{"id":"76561197960265737","participated":false}],"team_b":["76561197960265742","76561197960265730",{"id":"76561197960265735","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,35,'public-1','public-1:42',1763641980000000,1795983602441482,'{"round_id":"public-1:42","server":"public-1","ended_at":"2025-11-20T12:33:00Z","pool":"default","winner":"b","team_a":["76561197960265734","76561197960265739",{"id":"76561197960265744","participated":false}],"team_b":["76561197960265732","76561197960265737",{"id":"76561197960265742","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,36,'public-1','public-1:43',1763642580000000,1795983602441482,'{"round_id":"public-1:43","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:43:00Z","pool":"default","winner":"b","team_a":["76561197960265741","76561197960265729",{"id":"76561197960265734","participated":false}],"team_b":["76561197960265739","76561197960265744",{"id":"76561197960265732","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,37,'public-1','public-1:44',1763642640000000,1795983602441482,'{"round_id":"public-1:44","server":"public-1","ended_at":"2025-11-20T12:44:00Z","pool":"default","winner":"a","team_a":["76561197960265731","76561197960265736",{"id":"76561197960265741","participated":false}],"team_b":["76561197960265729","76561197960265734",{"id":"76561197960265739","at_start":false},{"id":"76561197960265741","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(1,10,'arena-1','arena-1:45',1763642700000000,1795983602461453,'{"round_id":"arena-1:45","server":"arena-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:45:00Z","pool":"arena","winner":"a","team_a":["76561197960265738","76561197960265743",{"id":"76561197960265731","participated":false}],"team_b":["76561197960265736","76561197960265741",{"id":"76561197960265729","at_start":false}]}',1,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,38,'public-1','public-1:46',1763642760000000,1795983602478172,'{"round_id":"public-1:46","server":"public-1","ended_at":"2025-11-20T12:46:00Z","pool":"default","winner":"draw","team_a":["76561197960265745","76561197960265733",{"id":"76561197960265738","participated":false}],"team_b":["76561197960265743","76561197960265731",{"id":"76561197960265736","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,39,'public-1','public-1:47',1763642820000000,1795983602478172,'{"round_id":"public-1:47","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:47:00Z","pool":"default","winner":"b","team_a":["76561197960265735","76561197960265740",{"id":"76561197960265745","participated":false}],"team_b":["76561197960265733","76561197960265738",{"id":"76561197960265743","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,40,'public-1','public-1:48',1763642880000000,1795983602478172,'{"round_id":"public-1:48","server":"public-1","ended_at":"2025-11-20T12:48:00Z","pool":"default","winner":"b","team_a":["76561197960265742","76561197960265730",{"id":"76561197960265735","participated":false}],"team_b":["76561197960265740","76561197960265745",{"id":"76561197960265733","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,41,'public-1','public-1:49',1763642400000000,1795983602478172,'{"round_id":"public-1:49","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:40:00Z","pool":"default","winner":"a","team_a":["76561197960265732","76561197960265737",{"id":"76561197960265742","participated":false}],"team_b":["76561197960265730","76561197960265735",{"id":"76561197960265740","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(1,11,'arena-1','arena-1:50',1763643000000000,1795983602488584,'{"round_id":"arena-1:50","server":"arena-1","ended_at":"2025-11-20T12:50:00Z","pool":"arena","winner":"a","team_a":["76561197960265739","76561197960265744",{"id":"76561197960265732","participated":false}],"team_b":["76561197960265737","76561197960265742",{"id":"76561197960265730","at_start":false}]}',1,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,42,'public-1','public-1:51',1763643060000000,1795983602500313,'{"round_id":"public-1:51","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:51:00Z","pool":"default","winner":"draw","team_a":["76561197960265729","76561197960265734",{"id":"76561197960265739","participated":false}],"team_b":["76561197960265744","76561197960265732",{"id":"76561197960265737","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,43,'public-1','public-1:52',1763643120000000,1795983602500313,'{"round_id":"public-1:52","server":"public-1","ended_at":"2025-11-20T12:52:00Z","pool":"default","winner":"b","team_a":["76561197960265736","76561197960265741",{"id":"76561197960265729","participated":false}],"team_b":["76561197960265734","76561197960265739",{"id":"76561197960265744","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,44,'public-1','public-1:53',1763643180000000,1795983602500313,'{"round_id":"public-1:53","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:53:00Z","pool":"default","winner":"b","team_a":["76561197960265743","76561197960265731",{"id":"76561197960265736","participated":false}],"team_b":["76561197960265741","76561197960265729",{"id":"76561197960265734","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,45,'public-1','public-1:54',1763643240000000,1795983602500313,'{"round_id":"public-1:54","server":"public-1","ended_at":"2025-11-20T12:54:00Z","pool":"default","winner":"a","team_a":["76561197960265733","76561197960265738",{"id":"76561197960265743","participated":false}],"team_b":["76561197960265731","76561197960265736",{"id":"76561197960265741","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(1,12,'arena-1','arena-1:55',1763643300000000,1795983602513746,'{"round_id":"arena-1:55","server":"arena-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:55:00Z","pool":"arena","winner":"a","team_a":["76561197960265740","76561197960265745",{"id":"76561197960265733","participated":false}],"team_b":["76561197960265738","76561197960265743",{"id":"76561197960265731","at_start":false},{"id":"76561197960265733","at_start":false}]}',1,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,46,'public-1','public-1:56',1763642820000000,1795983602527856,'{"round_id":"public-1:56","server":"public-1","ended_at":"2025-11-20T12:47:00Z","pool":"default","winner":"draw","team_a":["76561197960265730","76561197960265735",{"id":"76561197960265740","participated":false}],"team_b":["76561197960265745","76561197960265733",{"id":"76561197960265738","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,47,'public-1','public-1:57',1763643420000000,1795983602527856,'{"round_id":"public-1:57","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:57:00Z","pool":"default","winner":"b","team_a":["76561197960265737","76561197960265742",{"id":"76561197960265730","participated":false}],"team_b":["76561197960265735","76561197960265740",{"id":"76561197960265745","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,48,'public-1','public-1:58',1763643480000000,1795983602527856,'{"round_id":"public-1:58","server":"public-1","ended_at":"2025-11-20T12:58:00Z","pool":"default","winner":"b","team_a":["76561197960265744","76561197960265732",{"id":"76561197960265737","participated":false}],"team_b":["76561197960265742","76561197960265730",{"id":"76561197960265735","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(2,49,'public-1','public-1:59',1763643540000000,1795983602527856,'{"round_id":"public-1:59","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:59:00Z","pool":"default","winner":"a","team_a":["76561197960265734","76561197960265739",{"id":"76561197960265744","participated":false}],"team_b":["76561197960265732","76561197960265737",{"id":"76561197960265742","at_start":false}]}',2,NULL,NULL,NULL);
INSERT INTO rounds VALUES(1,13,'arena-1','arena-1:60',1763643600000000,1795983602536696,'{"round_id":"arena-1:60","server":"arena-1","ended_at":"2025-11-20T13:00:00Z","pool":"arena","winner":"a","team_a":["76561197960265741","76561197960265729",{"id":"76561197960265734","participated":false}],"team_b":["76561197960265739","76561197960265744",{"id":"76561197960265732","at_start":false}]}',1,NULL,NULL,NULL);
CREATE TABLE changes (
    pool_id bigint not null references pools (id),
    position bigint not null,
    -- Unique and permanent id of the admin's change, so that an import cannot apply it twice.
    change_id text not null unique,
    -- Kind of the admin's change: set, reset, void, unvoid, correct, undo or season.
    kind text not null,
    -- Player whose rating was changed, for the kinds set and reset and the undo of either.
    player_id bigint,
    -- New rating of the player in points, for the kind set.
    rating bigint,
    -- Log position of the round (for the kinds void, unvoid and correct) or of the undone change (for undo).
    round_position bigint,
    reason text,
    made_at bigint not null,
    settings_id bigint not null references settings (id),
    -- Corrected winner of the round, for the kind correct.
    winner text,
    -- For the kind season: name of the season that starts, thousandths of a rating's distance from the initial rating
    -- that are kept, and number of rounds until a player is placed.
    name text,
    kept bigint,
    calibration bigint,
    primary key (pool_id, position)
);
INSERT INTO changes VALUES(2,17,'c1','set',76561197960265736,2000,NULL,'für "alle"',1795176000000001,2,NULL,NULL,NULL,NULL);
INSERT INTO changes VALUES(1,9,'c2','reset',76561197960265731,NULL,NULL,NULL,1795176001000000,1,NULL,NULL,NULL,NULL);
CREATE TABLE unrated_players (
    pool_id bigint not null references pools (id),
    player_id bigint not null,
    position bigint not null,
    primary key (pool_id, player_id, position)
);
INSERT INTO unrated_players VALUES(2,76561197960265729,1);
INSERT INTO unrated_players VALUES(2,76561197960265736,2);
INSERT INTO unrated_players VALUES(2,76561197960265743,3);
INSERT INTO unrated_players VALUES(2,76561197960265733,4);
INSERT INTO unrated_players VALUES(1,76561197960265740,1);
INSERT INTO unrated_players VALUES(2,76561197960265730,5);
INSERT INTO unrated_players VALUES(2,76561197960265737,6);
INSERT INTO unrated_players VALUES(2,76561197960265744,7);
INSERT INTO unrated_players VALUES(2,76561197960265734,8);
INSERT INTO unrated_players VALUES(1,76561197960265741,2);
INSERT INTO unrated_players VALUES(2,76561197960265731,9);
INSERT INTO unrated_players VALUES(2,76561197960265738,10);
INSERT INTO unrated_players VALUES(2,76561197960265745,11);
INSERT INTO unrated_players VALUES(2,76561197960265735,12);
INSERT INTO unrated_players VALUES(1,76561197960265742,3);
INSERT INTO unrated_players VALUES(2,76561197960265732,13);
INSERT INTO unrated_players VALUES(2,76561197960265739,14);
INSERT INTO unrated_players VALUES(2,76561197960265729,15);
INSERT INTO unrated_players VALUES(2,76561197960265736,16);
INSERT INTO unrated_players VALUES(1,76561197960265743,4);
INSERT INTO unrated_players VALUES(2,76561197960265733,18);
INSERT INTO unrated_players VALUES(2,76561197960265740,19);
INSERT INTO unrated_players VALUES(2,76561197960265730,20);
INSERT INTO unrated_players VALUES(2,76561197960265737,21);
INSERT INTO unrated_players VALUES(1,76561197960265744,5);
INSERT INTO unrated_players VALUES(2,76561197960265734,22);
INSERT INTO unrated_players VALUES(2,76561197960265741,23);
INSERT INTO unrated_players VALUES(2,76561197960265731,24);
INSERT INTO unrated_players VALUES(2,76561197960265738,25);
INSERT INTO unrated_players VALUES(1,76561197960265745,6);
INSERT INTO unrated_players VALUES(2,76561197960265735,26);
INSERT INTO unrated_players VALUES(2,76561197960265742,27);
INSERT INTO unrated_players VALUES(2,76561197960265732,28);
INSERT INTO unrated_players VALUES(2,76561197960265739,29);
INSERT INTO unrated_players VALUES(1,76561197960265729,7);
INSERT INTO unrated_players VALUES(2,76561197960265736,30);
INSERT INTO unrated_players VALUES(2,76561197960265743,31);
INSERT INTO unrated_players VALUES(2,76561197960265733,32);
INSERT INTO unrated_players VALUES(2,76561197960265740,33);
INSERT INTO unrated_players VALUES(1,76561197960265730,8);
INSERT INTO unrated_players VALUES(2,76561197960265737,34);
INSERT INTO unrated_players VALUES(2,76561197960265744,35);
INSERT INTO unrated_players VALUES(2,76561197960265734,36);
INSERT INTO unrated_players VALUES(2,76561197960265741,37);
INSERT INTO unrated_players VALUES(1,76561197960265731,10);
INSERT INTO unrated_players VALUES(2,76561197960265738,38);
INSERT INTO unrated_players VALUES(2,76561197960265745,39);
INSERT INTO unrated_players VALUES(2,76561197960265735,40);
INSERT INTO unrated_players VALUES(2,76561197960265742,41);
INSERT INTO unrated_players VALUES(1,76561197960265732,11);
INSERT INTO unrated_players VALUES(2,76561197960265739,42);
INSERT INTO unrated_players VALUES(2,76561197960265729,43);
INSERT INTO unrated_players VALUES(2,76561197960265736,44);
INSERT INTO unrated_players VALUES(2,76561197960265743,45);
INSERT INTO unrated_players VALUES(1,76561197960265733,12);
INSERT INTO unrated_players VALUES(2,76561197960265740,46);
INSERT INTO unrated_players VALUES(2,76561197960265730,47);
INSERT INTO unrated_players VALUES(2,76561197960265737,48);
INSERT INTO unrated_players VALUES(2,76561197960265744,49);
INSERT INTO unrated_players VALUES(1,76561197960265734,13);
CREATE TABLE rebuilds (
    pool_id bigint not null primary key references pools (id),
    -- Owner of the lease on the rebuild, and time of its last renewal. Every transaction that writes for a rebuild
    -- checks that the writer still owns the lease.
    owner text not null,
    renewed_at bigint not null,
    -- Log position of the first round that the rebuild changes (null if none), and the change: 1 voids rounds, 0
    -- restores them, null corrects their winner.
    round_position bigint,
    voids bigint,
    started_at bigint,
    -- Entries of the log that are computed, and entries to compute, both from where the rebuild began.
    done bigint not null,
    total bigint not null,
    -- 1 if the rebuild was cancelled, else 0. Its owner then gives up when it next renews the lease.
    cancelled bigint not null,
    -- Winner that the rebuild corrects a round to (null if it corrects none), and number of rounds that it changes.
    winner text,
    rounds bigint not null
);
CREATE TABLE imports (
    id text not null primary key,
    -- The source of the rounds, for people to read.
    source text not null,
    started_at bigint not null,
    -- Time at which the importing program last reported its progress.
    renewed_at bigint not null,
    -- Bytes of the files that are read, and their size; null if the source is a pipe.
    done bigint not null,
    total bigint
);
CREATE TABLE season_standings (
    pool_id bigint not null references pools (id),
    -- The position in the log at which the season ended and the next one started.
    position bigint not null,
    player_id bigint not null,
    -- Rank of the player, from 1; null for a player with too few rounds in the season or since the last reset.
    rank bigint,
    rating bigint not null,
    -- Numbers of the player's rated rounds: since the last reset, in the season, and in all.
    rounds bigint not null,
    season_rounds bigint not null,
    entries bigint not null,
    primary key (pool_id, position, player_id)
);
CREATE TABLE prunes (
    pool_id bigint not null references pools (id),
    position bigint not null,
    pruned_at bigint not null,
    -- Name of the file that contains the pruned rounds.
    file text not null,
    -- Longest window, in rounds, for which enough computed rows of the pool and of every player are kept.
    kept_window bigint not null,
    -- When the last pruned round was received.
    last_received_at bigint not null,
    -- Sums up to the last pruned round, as JSON in the format of the columns of the same names in `pools`.
    calibration text not null,
    experience text not null,
    -- JSON: kind, name and sums of every row of `round_groups`, up to the last pruned round.
    group_sums text not null,
    primary key (pool_id, position)
);
CREATE TABLE pruned_rounds (
    server text not null,
    round_id text not null,
    pool_id bigint not null references pools (id),
    position bigint not null,
    primary key (server, round_id)
);
CREATE TABLE challengers (
    pool_id bigint not null primary key references pools (id),
    -- Id of the instance that holds the lease on evaluating the challengers, and time of its last renewal.
    owner text not null,
    renewed_at bigint not null,
    -- Input of the quality figures: generation of the pool's results, last pruned log position, and rating constants.
    generation bigint not null default 0,
    pruned bigint not null default 0,
    settings_id bigint not null default 0,
    -- Last log position that the quality figures include, and number of the pool's rounds that count up to it.
    position bigint not null default 0,
    rounds bigint not null default 0,
    -- Quality figures of the challengers, as JSON; null before the first figures are written.
    figures text
);
CREATE TABLE audit (
    made_at bigint not null,
    -- Id that distinguishes admin actions of the same moment. For a change in the log, this is its `change_id`.
    id text not null,
    -- Fingerprint of the secret that the admin used; null for the command line.
    secret text,
    -- Name of the admin's action, such as set, reset, void, unvoid or rebuild.
    action text not null,
    pool_id bigint not null references pools (id),
    player_id bigint,
    server text,
    round_id text,
    reason text,
    -- State before and after the admin's action, as JSON.
    before text not null,
    after text not null,
    primary key (made_at, id)
);
INSERT INTO audit VALUES(1795176000000001,'c1',NULL,'set',2,76561197960265736,NULL,NULL,'für "alle"','{"rating":994,"rounds":5}','{"rating":2000,"rounds":5}');
INSERT INTO audit VALUES(1795176001000000,'c2',NULL,'reset',1,76561197960265731,NULL,NULL,NULL,'{"rating":1000,"rounds":2}','{"rating":1000,"rounds":0}');
CREATE TABLE interventions (
    id bigint not null primary key,
    pool_id bigint not null references pools (id),
    server text not null,
    -- Times of the first and last request, and number of requests, that got this answer. A plugin that asks again
    -- before it has moved a player gets the same answer.
    first_asked_at bigint not null,
    last_asked_at bigint not null,
    asked bigint not null,
    policy text not null,
    -- JSON: every broken rule with its rule, value, limit and detail.
    reasons text not null,
    -- JSON: the players who should change teams, each with id, from, to and with.
    moves text not null,
    -- Teams before and after the recommended moves: numbers of players and bots, total weights in the policy's unit
    -- (such as rating points), and the probability that team a wins, by the ratings.
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
    -- 1 if the teams are balanced after the moves, else 0.
    balanced_after bigint not null
);
CREATE TABLE notices (
    server text not null,
    name text not null,
    -- Kind of the notice: scramble, rating, plugin or unknown_server.
    kind text not null,
    -- Player whom the notice concerns, and the player's new rating; null if it concerns none.
    player_id bigint,
    rating bigint,
    -- Text of the notice, as a sentence.
    message text not null,
    made_at bigint not null,
    expires_at bigint not null,
    primary key (server, name)
);
CREATE TABLE split_tables (
    server text not null primary key,
    -- Time at which the table of splits was computed. A table never replaces one that was computed later.
    computed_at bigint not null,
    -- JSON: the table of splits as it was answered, and the players' ratings that it was computed with. If these have
    -- changed, the table is no longer valid.
    content text not null
);
CREATE TABLE past_split_tables (
    server text not null,
    computed_at bigint not null,
    -- JSON of the table of splits, in the format of the table `split_tables`.
    content text not null,
    primary key (server, computed_at)
);
CREATE TABLE player_names (
    player_id bigint not null primary key,
    -- Name of the player that a game server sent last (null without one, or if the player is forgotten), and time at
    -- which the player had it.
    name text,
    named_at bigint not null,
    -- Name that an admin gave the player, shown in place of the name from the game server.
    alias text,
    -- Name and alias in lower case, for searches.
    folded_name text,
    folded_alias text,
    -- Time at which the player was forgotten, after which no name is stored; null if the player is not forgotten.
    forgotten_at bigint,
    -- Number, from 1, shown in place of the id of a forgotten player whose id is hidden too.
    pseudonym bigint unique,
    -- Fingerprint of the secret that sent the name, and arrival time of the name. The time in `named_at` may differ: it
    -- may be the end of a round.
    secret text,
    received_at bigint,
    -- Arrival time of the name of a player who has played in no pool; null for other players.
    stranger_since bigint
);
CREATE TABLE servers (
    server text not null primary key,
    -- The version of the plugin, such as 1.2.0; null if the request named none.
    plugin text,
    -- Fingerprint of the secret that the game server sent.
    secret text not null,
    hello_at bigint not null
);
CREATE TABLE ended_sessions (
    id text not null primary key,
    -- Time at which the session would have expired without the log-out. The row is deleted after it.
    ends_at bigint not null
);
CREATE TABLE refusals (
    id text not null primary key,
    last_at bigint not null,
    -- The group as JSON, in the form of GET /v1/admin/refusals.
    content text not null
);
CREATE TABLE refused_rounds (
    server text not null,
    -- Beginning of the hour.
    hour bigint not null,
    rounds bigint not null,
    primary key (server, hour)
);
CREATE TABLE results (
    pool_id bigint not null,
    position bigint not null,
    generation bigint not null,
    number bigint not null,
    content blob not null,
    primary key (pool_id, position, generation)
) without rowid;
INSERT INTO results VALUES(1,1,1,1,X'b9ae0cc33249e33f0000000000c0a240004e88c0c5b834c43fa1e3b4fb1934e03f020201b9ae0cc33249e33f024e88c0c5b834c43f05d00f3a00000000000052400100d00f3a00000000000052400100d00f3900000000000052400100d00f3900000000000052400100d00f3900000000000052400100');
INSERT INTO results VALUES(1,2,1,2,X'b9ae0cc33249e33f0000000000c0a240004e88c0c5b834d43fa1e3b4fb1934f03f040402b9ae0cc33249f33f044e88c0c5b834d43f05d00f3a00000000000052400100d00f3a00000000000052400100d00f3900000000000052400100d00f3900000000000052400100d00f3900000000000052400100');
INSERT INTO results VALUES(1,3,1,3,X'cace8344ad19e33f0000000000c0a24000f4ce346b289bde3f2b072d9ac475f83f0606031e964e6509d6fc3f06f4ce346b289bde3f05d00f3a00000000000052400100d00f3a000000000000524001008a1039c799e49e3ed6514002008a1039c799e49e3ed651400200d00f3900000000000052400100');
INSERT INTO results VALUES(1,4,1,4,X'48d3aeaceee9e23f0000000000c0a24000cc4c288191a7e43fd1a22819d06f0040080804e1ffd25d8025034008cc4c288191a7e43f05960f3ac799e49e3ed651400200960f3ac799e49e3ed6514002008a1039c799e49e3ed6514002008a1039c799e49e3ed651400200d00f3900000000000052400100');
INSERT INTO results VALUES(1,5,1,5,X'48d3aeaceee9e23f0000000000c0a240001e32b6cc8e01ea3f0cc23ae5bda404400a0a05b3b4fe08fcdf07400a1e32b6cc8e01ea3f05960f3ac799e49e3ed651400200960f3ac799e49e3ed6514002008a1039b6d334d03df4514002008a1039b6d334d03df451400200d00f3900000000000052400100');
INSERT INTO results VALUES(1,6,1,6,X'cace8344ad19e33f0000000000c0a240007155709fc634ef3fd1d3763493c508400c0c0666a81f5a67a60c400c7155709fc634ef3f05d00f0e0e283794d49a30400300960f3ab6d334d03df451400200d00f0d0e9461bb611d31400300d00f0d0e9461bb611d31400300d00f3900000000000052400100');
INSERT INTO results VALUES(1,7,1,7,X'cace8344ad19e33f0000000000c0a24000623c1539ff33f23f96e5b28368e60c400e0e070c4ea05569b610400e623c1539ff33f23f05d00f0e0e9461bb611d31400300960f3ab6d334d03df451400200d00f0d0e9461bb611d31400300d00f0d0e9461bb611d31400300d00f3900000000000052400100');
INSERT INTO results VALUES(1,8,1,8,X'db1f5ca8ba2be33f0000000000c0a240008e6fa24559c6f43f33ca04e1d87f104010100807d2abaae01b1340108e6fa24559c6f43f05d00f0e8e4f63b5709b30400300960f3ab6d334d03df451400200de0f1d642430fe304342400400d00f0b8ee3388ee31830400300960f39c799e49e3ed651400200');
INSERT INTO results VALUES(1,10,1,9,X'0c89f51dfd25e33f0000000000c0a24000b3640afe005bf73fd048f04cb08d124012120928836a4ea080154012b3640afe005bf73f05c20f1e16187850ae1742400400960f3ab6d334d03df451400200de0f1d16187850ae1742400400d00f0d8e4f63b5709b30400300960f39c799e49e3ed651400200');
INSERT INTO results VALUES(1,11,1,10,X'0c89f51dfd25e33f0000000000c0a24000d85972b6a8eff93f6dc7dbb8879b144014140a4a3429f25fe5174014d85972b6a8eff93f05c20f1e16187850ae1742400400960f3ab6d334d03df451400200de0f1d8f3bf065893242400400d00f0d4eca6652cdcc30400300d00f0d0e283794d49a30400300');
INSERT INTO results VALUES(1,12,1,11,X'd09633466a08e33f0000000000c0a24000516a2fa53e90fc3f9daf7c7191af164016160b24a7ef3a6d461a4016516a2fa53e90fc3f06c40f1e4832d14a3c8642400400dc0e3ab6292c9326d151400300e00f0919fcb4e2918e29400500d00f0daed6cbe48d3a30400300d00f3900000000000052400100c20f1d16187850ae1742400400');
INSERT INTO results VALUES(1,13,1,12,X'2fda6ba99707e33f0000000000c0a240007b0ef0ee2931ff3ffe8c5e6ec7c3184018180c6a221d3060a71c40187b0ef0ee2931ff3f05c20f1edc22b0f9c98e42400400dc0e3ab6292c9326d151400300e00f0919fcb4e2918e29400500d00f0daed6cbe48d3a30400300d00f0d8e4f63b5709b30400300');
INSERT INTO results VALUES(2,1,1,1,X'b9ae0cc33249e33f0000000000c0a240011833341f3d98853f4b8e5fa6c4dee63f000101b9ae0cc33249e33f011833341f3d98853f05d00f0d00000000000052400100d00f0d00000000000052400100d00f0e00000000000052400100d00f0e00000000000052400100d00f0e00000000000052400100');
INSERT INTO results VALUES(2,2,1,2,X'b9ae0cc33249e33f0000000000c0a24001a4a00c58e9ebd73fa0e3b4fb1934fa3f000102b9ae0cc33249f33f01a4a00c58e9ebd73f05d00f5500000000000052400100d00f5500000000000052400100c20f18cbe03f4999f733400200d00f5600000000000052400100de0f18cbe03f4999f733400200');
INSERT INTO results VALUES(2,3,1,3,X'2596e2ffea4ee33f0000000000c0a240018a99405c6e9ce73f1abd09f702800440000103ccf9fd42a8f0fc3f018a99405c6e9ce73f05d00f5500000000000052400100d00f5500000000000052400100fa0e56d7eede4a30e651400200c20f18cbe03f4999f733400200da0f3e98ac00bd2bca49400300');
INSERT INTO results VALUES(2,4,1,4,X'995d674d476ce33f0000000000c0a240016cf745cfe28dec3f559cd669897e08400203044cd4d8f465530340036cf745cfe28dec3f05d00f3800000000000052400100d00f3800000000000052400100fa0e37d7eede4a30e651400200fa0e37d7eede4a30e651400200d00f11d2022038c0f636400300');
INSERT INTO results VALUES(2,5,1,5,X'6bb1b0174932e33f0000000000c0a240020215c8889fdfec3fe4892b08cf330e40020405a700c53af81f0840040215c8889fdfec3f05d00f0d00000000000052400100d00f0d00000000000052400100d00f0e0000000000005240010088100edc0508fc30a75140020088100edc0508fc30a751400200');
INSERT INTO results VALUES(2,6,1,6,X'2596e2ffea4ee33f0000000000c0a240021d2f819c0c43f43f976aad80e2cc124002040630a6bdfab2f30c40041d2f819c0c43f43f05de0f17cbe03f4999f733400200d00f5500000000000052400100c20f181f0b7c51507a33400200d00f5600000000000052400100de0f181f0b7c51507a33400200');
INSERT INTO results VALUES(2,7,1,7,X'262d4db40c83e33f0000000000c0a2400275a3937fe835fa3fbec1bcb56d901640020407bd78e8133bea10400475a3937fe835fa3f05f60f53f4b87dd6885e51400300de0f17cbe03f4999f733400200fa0e58d7eede4a30e651400200c20f181f0b7c51507a33400200da0f407f8f095050f149400300');
INSERT INTO results VALUES(2,8,1,8,X'47ccc4d2fc7ee33f0000000000c0a24002e05558c14da7fc3fde062f6cd88b1840040608461241ae1a5a134006e05558c14da7fc3f05981038f1537787e4ed51400400a61038d7eede4a30e651400200c60f27804fe51f42194a400300c60f276ddc2378fdd149400300d20f11d014a1e315f237400300');
INSERT INTO results VALUES(2,9,1,9,X'37c6a474cd93e23f0000000000c0a24003460706efdfc1fc3fa7ff7cca165f1b400407090dabd55c94ac154007460706efdfc1fc3f06c20e0be5f9f99dfab951400300c20e0be5f9f99dfab951400300da0f086ddc2378fdd149400300d0100c89aa237d05c751400500de100ce5f9f99dfab951400300be0f06689be53c171245400400');
INSERT INTO results VALUES(2,10,1,10,X'ac1e363f9047e33f0000000000c0a2400321c3efcc5648014002619711c10f1f4004070ae26ebc64861518400721c3efcc564801400596103916026eaf822d48400300fa0e55d7eede4a30e651400200b60e562038601cc2ad51400400c40f207fab059973313b400500e20f34a88b17bc678b45400400');
INSERT INTO results VALUES(2,11,1,11,X'df3d6e4b9dfde33f0000000000c0a2400383f8e3ff976704400fb09e0aaa7d214004070b9e362a0e3a951a400783f8e3ff9767044005f60f5531fd6270cb525140030096103b16026eaf822d48400300a40e5879aed3b6a49951400300b60e582038601cc2ad514004008c0f2890e29bb18fcf3f400500');
INSERT INTO results VALUES(2,12,1,12,X'77cbe52ce86de33f0000000000c0a240035ee5d635a3a30540e8d51dbc207d224006090c0df0c613f7021d40095ee5d635a3a30540059a1038f06afefbdfec51400400a61038d7eede4a30e651400200da0f0f779eee4e808135400400dc0f0f894a76e029be33400400fc0e237840a1de96ef46400400');
INSERT INTO results VALUES(2,13,1,13,X'b42d760607e0e23f0000000000c0a240042197a1862bb40540118abeff6be82340060a0dc4b595f4f75e1f400a2197a1862bb40540059e0f0bdf5f3bceef1b514004009e0f0badd063a5390451400400da0f0a9202cbf794384a400300d2100c935000203dc551400500de100ce5f9f99dfab951400300');
INSERT INTO results VALUES(2,14,1,14,X'98ffd893bc7be33f0000000000c0a2400406fb07205fab084036d7771e06c92540060a0edc6a88c337e720400a06fb07205fab084005ea10552038601cc2ad51400400a20f1b29d8e681b26b37400400920f483036b790b59c4d400500c00f34d38b79f1e11245400400e40f364686aba4dc4846400400');
INSERT INTO results VALUES(2,15,1,15,X'b1b342c3ccf0e33f0000000000c0a240040f9223eba0c60b40d2e4366eaebc2740060a0f1796bc8f442622400a0f9223eba0c60b4005961051c806bea307a550400500dc10577e091e2cecbb51400600860f388a5ee538d9d146400500920f4ad55dc63f3dc04d400500da0f20773ed5b96cfb39400600');
INSERT INTO results VALUES(2,16,1,16,X'cb2d1a09d10fe33f0000000000c0a240049fc29d696c150d40c4048e56ecc52840080c10f4384ea0415723400c9fc29d696c150d4005b40f16d111e01f9eae3a400600e40f1621d42bcc9d963a40060084102b38d9d54e5ec74a400700941019eb89545f006f3f400500be0f13d17ee3782e5c38400600');
INSERT INTO results VALUES(2,18,1,17,X'939e5f597731e33f0000000000c0a24005aff39d1fd1290d40ccd44b4a38332a40080d11dd32e415598a24400daff39d1fd1290d4005ca0f07faaa29d9e9ff43400500cc0f07f07845f54046434005008e0f06ce8462e636263f400500ca0f0834c83814565d45400700fa0f08a3987d33881343400700');
INSERT INTO results VALUES(2,19,1,18,X'7fa43a9f49a4e33f0000000000c0a2400598dddaebb41610400a6bb9c0571a2c40080d1225ddd7af9dc425400d98dddaebb416104006ea10552038601cc2ad51400400a00f1b23228c4d03e336400400c40f30c84a7c1ea0d443400600d80e44487b22af6af84b400500940f24ed3ad77280f13d400600c20f327feeee17717444400600');
INSERT INTO results VALUES(2,20,1,19,X'cc68278fa5cce33f0000000000c0a24005ceef6117b99e11404eac120b0a082e40080d13b253ca08680127400dceef6117b99e1140059a105327b56790bc1751400500de1057e5f9f99dfab951400600840f3af727eb67e18747400500f40f12e4ea0a373e722d400700f40f12c1e7dbb1b9e52c400700');
INSERT INTO results VALUES(2,21,1,20,X'3e9d89d11a33e33f0000000000c0a24005e641cc91924212405aafe884970d2f400a0f1486ede2b5993428400fe641cc919242124005fa0f108480b1176e9c33400700f40f18974cc048f7ee3c40050086102b2b42a21a18534b400700941019f9204790a8be3f400500be0f1321b00d09c3c337400600');
INSERT INTO results VALUES(2,22,1,21,X'939e5f597731e33f0000000000c0a240066e5accecc44c1240b13f53bc713d30400a10156fe7782bb1672940106e5accecc44c124005d80f05c6152737ac4c41400800fa0f0301bf775bd5b935400600dc0f06567a0bd14fad394006008a10062ab2a72a3841414008008c100a937c7143196c47400600');
INSERT INTO results VALUES(2,23,1,22,X'b53fa48d0261e63f0000000000c0a240065ef2132096411440b93380b8197131400a10166a2b5354c1cd2a40105ef21320964114400582103991c33e52af6944400800a01f0384b113c5d3d10a400600f60f20758a3eb6c29737400700aa0f2444a36f4a362f39400700e20f1af6ee1b1dc00732400700');
INSERT INTO results VALUES(2,24,1,23,X'3469f2521be8df3f0000000000c0a240063bf0fb6318401540b99248f2cc2132400c10166a2b5354c1cd2a40105ef213209641144005b80f1ddf5bffc0a5293e400700d20f2d2b67a264df52474008009c1f06874c1b5ff97414400700d20f1a2b5a1cd40b6739400900961026973346723f0943400800');
INSERT INTO results VALUES(2,25,1,24,X'b9ae0cc33249e33f0000000000c0a240067df4292abee11540d63926c26da332400e121756f6838054022c4012a0f641e63be31440058610166b5f0a6231533b4008009c0f18262b2d2757ad3d400600a40f17088557cfd1133e400900c80f0f3828886d446834400900a21f03d959176bc43914400800');
INSERT INTO results VALUES(2,26,1,25,X'cace8344ad19e33f0000000000c0a24007c1b211cd5aeb15401993b1dcc55933400e13184333cc54ef332d4013e4b42989d8ec144005da0f05bb1634d9f5d341400800fa0f03d661d7b13e2036400600861006de96653a48fe3a4008009c1006ecebbf7dde4e40400900b40f04af14c09a261f34400700');
INSERT INTO results VALUES(2,27,1,26,X'b180ed2c5163e33f0000000000c0a2400703719f613f6317401c976d5e214834400e13194e0b9b67246a2e40132673b71dbd64164005961037ada58714f04747400700c60f29f1d54c28083a41400600f60f1c144201dfbc2c37400700aa0f2083760fc4f1ff394007008c101e947bb1e55ce638400900');
INSERT INTO results VALUES(2,28,1,27,X'bb3ff3d5698ee33f0000000000c0a2400788a7f650b2e1184032bec789ed3935400e131a4a3ffa040ba32f4013aba90e0d30e3174006fc0f1f6e7ff68d96583a40080090102d5c1e7eb85bc5424009009c0f0ef2fde026eae127400700d40f2074aa43259e5b3a40090092102c347aa033d32a42400800de0f20109ec9bc5eb93a400800');
INSERT INTO results VALUES(2,29,1,28,X'365b26a73d5fe33f0000000000c0a24007d2a9cd7c29811940f5360b696aba354010151b7f52b66f7f6c304015f5abe538a782184005bc10225f4a293fcb4e45400900ce0f129f6c9dac674d37400800e20f11d903f650729a37400a00fe0f1d308644a4b28942400900aa0f17c9acb83932ea3e400800');
INSERT INTO results VALUES(2,30,1,29,X'51a8d5e125eee53f0000000000c0a24008b986158254a41940ee4d38cfc67e364010161cc2ffc49ef01b314016dc882d3ed2a51840058c0f09f827b3a2b14d3d400a00b80f07f5e5be24177436400a00ec0f0ee9e66a8ae52e42400a00de10109c16e0069a3746400a00e00f0a3379582a53c23c400900');
INSERT INTO results VALUES(2,31,1,30,X'd69bc320e697df3f0000000000c0a2400812c06379dd9d1a40b5127957fd2c374012161cc2ffc49ef01b314016dc882d3ed2a5184005b80f19c3f6e14a48dd3a4008009a0f1b0ed3f4d9617e3c400800b00f16003b6c91728736400b009e1f06e1d5d087226114400900fa0f2675eb996d1c6a43400b00');
INSERT INTO results VALUES(2,32,1,31,X'f3028c3fb8bbe33f0000000000c0a2400877fa837944231c404ba81c467422384012161dda5fc160ceb931401641c34d3e392b1a4005aa102fe7c77515cd6343400a00a2102bfe9867c2959841400a00fe0e2a830ddd69f76441400900820f22551a0441c8313c400b00c60f10d1f5711a49e228400c00');
INSERT INTO results VALUES(2,33,1,32,X'c6fd33868b89e33f0000000000c0a240085961843496be1c4069616578c4a0384014181ec8fff2bc1a56324018232a4ef98ac61a4005be10227e4c8b233ebd45400900ca0f10f7297b67269a34400800f60f110c293516a17a36400b009e0f179f22bad00d8f3e400900a80f0fbb664219c3c435400a00');
INSERT INTO results VALUES(2,34,1,33,X'1507363a68ece23f0000000000c0a240096cfcc22522c71c407f2d9b368f56394014191f01b0c4fe7ded32401936c58cea16cf1a4005d00f03e2604460f3dd36400b00e00f0332cb38f1c7b039400a00f40f0887faa290bb7643400a00e01008a103c79b578d46400a00da0f04743c6fae48eb39400900');
INSERT INTO results VALUES(2,35,1,34,X'0afe84d6766be33f0000000000c0a24009c43729e642401e402df7be4c90453a40141920f1d778b5d9883340198e00f3aa37481c4005ea0f25178ff61137d13f400a00dc0f17a6f26c6598f633400900dc0f1828d913ab297334400b00920f1e901a687daa0038400900fc0f302c3b6a5b15c443400b00');
INSERT INTO results VALUES(2,36,1,35,X'a3fec20c91abe33f0000000000c0a24009866527692dc31f4030002afdb6393b40141921e6efde3d3626344019502ef12d22cb1d4005a010350337177ae4da45400c00ee1033ba5fe8cdab6d45400b00c40f269dc3d30cb22a3e400a00cc0f1c6c0c4d63f56336400c00f40f24642fc52b877e3c400c00');
INSERT INTO results VALUES(2,37,1,36,X'06a9f3735b39e63f0000000000c0a240093b55f98e5f112040ab5c48d80a973b40161b222e8d7e1901d834401b4173bce2b32a1e4006d60f0ca38df0e84a1634400d00a41f04637240f13c2614400a00ba1013886a6db4eb0140400c00c40f0b7134551c649432400b00ea0f0934d0ac56621a31400b00ea0f1392f74aaac71a40400d00');
INSERT INTO results VALUES(2,38,1,37,X'bb456a1acf26e33f0000000000c0a2400ab0455aed56162040c165d4a08d4d3c40161c235cdf5192377135401c2b547e9fa2341e4005e40f019dc8bb91c3c92d400c00860f0797b98b12e9ec41400a00a40f04e9380eca1c7f36400c00e20f04eaf82c6e7cac36400e00a81f00cee1e1a37cff13400b00');
INSERT INTO results VALUES(2,39,1,38,X'ef3fbb736e9fe33f0000000000c0a2400a90e022c5ddd62040df4ca4d7b8403d40161c245bb9ef05330e36401ceb890f4fb0b51f4005de0f1f5d2a440206d83a400a00fa0f1f61637fb71dea39400b00fe0e28a2765035518b40400b00980f209777e1374d8b3a400b00a80f1aa4fe4f68a5a335400d00');
INSERT INTO results VALUES(2,40,1,39,X'2ab09f32c399e33f0000000000c0a2400a2867586ff596214051b8c0e86e333e40161c25dcb6841f01ab36401c8e4bbdd1ef9a204005ac103762c1dc4630fb46400c00e810314b5b21bddecb44400b00da0f12aa4ecbebcbc22c400c00e20f0e30c81a1ce65128400d00a60f1a53a6808dcb9c35400c00');
INSERT INTO results VALUES(2,41,1,40,X'ab3912a9ed45e33f0000000000c0a2400a625dbfeaf1e72140c913ec233bb53e40181e26a948cd8c304537401ec841244deceb20400598101cb4ac6f5e580142400d00b00f1cd2d8210d4ace41400a00b61017356638406fbc3e400c00be0f0b6dd0207c73c52b400b00ec0f118d3f9930ba2936400d00');
INSERT INTO results VALUES(2,42,1,41,X'40c7268c6136e33f0000000000c0a2400ba7f709d61aed2140298ccd83f16b3f40181f27e37e2e99e3de37401f0ddc6e3815f1204005a610053111e6dde2693a400d00b80f01e1adf3e1f1482a400c00e80f044e8f40bd612533400d00b41008b421a603d70f45400e00cc0f08d3e38cfccd5e43400b00');
INSERT INTO results VALUES(2,43,1,42,X'dd340534a173e63f0000000000c0a2400bc5899fcd24e92240eba32869c5504040181f288aa8cea2809238401f2b6e04301fed214005a81f07cee1e1a37cff13400c00d60f25ac4c0672ede63a400e00b60f10346aa255ee0428400d00e00f1e5fd666cdd56235400c00ec0f1c2d6a35a3665433400e00');
INSERT INTO results VALUES(2,44,1,43,X'54b2fbccde3fe63f0000000000c0a2400b1d91f2eaa9e023405f91ad72e3e84040181f291d8636997f4439401f8375574da4e4224005c20f279ec05768da493d400e00e60f1f573ffed05c3837400f00b00f1a11696605792532400f00a0102275ea7a53151538400e00c60f1c02c4c6a1523834400e00');
INSERT INTO results VALUES(2,45,1,44,X'f24c676352b8df3f0000000000c0a2400beda90fdae962244001b51a78bc4241401821291d8636997f4439401f8375574da4e4224005c00f18e6127b177b0437400d00b80f14c477b501d8c633400c00c60f0d5023b2a581132c401000a01f0574bc373f664d14400d00ca0f19f0b36c5550533a401000');
INSERT INTO results VALUES(2,46,1,45,X'0a46f6308d50e33f0000000000c0a2400c31c9e82d68682440037f0637449e414018222a4d38be0204df394020c79430a122ea2240059e100353d58d1e04d337400d00b20f03f7675e17d5c52d400c00f00f04e85000f363a633400e00d80f06ec61ea9fb7cf3e400e00cc0f067c7d71f3e6fc3a400d00');
INSERT INTO results VALUES(2,47,1,46,X'd4b310cf6c81e33f0000000000c0a2400ca37db2f8a3262540b39de8f7a416424018222becbd36690f7b3a40203949fa6b5ea8234005d40f2ba08f8990025942400c00f40f29829b43dce31841400d00ae0f1486293b87066a2f400d00da0f1229aa6bc681202e400e00f40f18c64b022d787433400f00');
INSERT INTO results VALUES(2,48,1,47,X'4731e8640e60e33f0000000000c0a2400cf6f7950f57e22540429ad4a4b18d424018222c76ff5ddc0f163b40208cc3dd821164244005881021ef4d3239444a3b400f00bc10330dd137bc54a145400f00ca0f1ebab70aeb4c2e39400e009a101a00c8982bf39d35400e00c20f10a195f07d42a12b400e00');
INSERT INTO results VALUES(2,49,1,48,X'64f77811c365e33f0000000000c0a2400cef097361c03126407dbe1b05c5cd42401a242d31c7e9f43db13b402285d5bad47ab3244005e20f16f7379c965a513c400f00fe0f0e93cfec574f4631400d0088101b9bee31c29b5b41401000a80f13c15ec2fba1d138400d00e80f172a15c04eb0103f400f00');
CREATE TABLE players (
    pool_id bigint not null,
    generation bigint not null,
    player_id bigint not null,
    rating bigint not null,
    rounds bigint not null,
    entries bigint not null,
    last_played bigint,
    rating_total bigint not null,
    rating_squared_total bigint not null,
    expected_total bigint not null,
    score_halves_total bigint not null,
    last_entries blob,
    model_state blob,
    primary key (pool_id, generation, player_id)
) without rowid;
INSERT INTO players VALUES(1,0,76561197960265729,971,3,3,1763643600000000,2884,2773046,6129135979828,2,X'80d0cee4c881a20601000000000280d8cbb7b281a206030000960feabc9ecded32000880d4dbd20fdc0ecf82f182b433000380a4a7da06960ffbdad4978f4c02',NULL);
INSERT INTO players VALUES(1,0,76561197960265730,993,3,3,1763643000000000,3022,3044890,6189870748267,2,X'80b8b4a8c481a20601000000000180ccbe99b081a2060300008a1096c3e1b2924d020280989abc04d00f86dfddd2cc33000880d4dbd20fc20fcf82f182b43300',NULL);
INSERT INTO players VALUES(1,0,76561197960265731,971,1,3,1763643300000000,3000,3001682,6231380591945,2,X'80c4c1c6c681a20601000000000280d8cbb7b281a2060300008a1096c3e1b2924d020280989abc04d00fa6d4a991ac34000880d4dbd20f960f8df3dc95ef3300',NULL);
INSERT INTO players VALUES(1,0,76561197960265732,993,3,3,1763643600000000,3022,3044890,6206309387557,2,X'80d0cee4c881a20601000000000380e4d8d5b481a2060300008a10faa0a2adb34c020280989abc04d00fa6d4a991ac34000880d4dbd20fc20f85a5abe8f03300',NULL);
INSERT INTO players VALUES(1,0,76561197960265733,978,4,4,1763643300000000,3942,3885374,7902010793303,2,X'80c4c1c6c681a20601000000000180ccbe99b081a206040000960feabc9ecded32000380a4a7da06d00fdaabd6eed34b020280989abc04c20f86dfddd2cc33000680bcc1960ba40f8df3dc95ef3300',NULL);
INSERT INTO players VALUES(1,0,76561197960265734,993,3,3,1763641560000000,2964,2928890,6119822238666,2,X'80988fcbb981a20601000000000280d8cbb7b281a206030000960feabc9ecded32000380a4a7da06d00fdaabd6eed34b0202809c9c39c20f86dfddd2cc3300',NULL);
INSERT INTO players VALUES(1,0,76561197960265735,992,4,4,1763642400000000,4028,4056954,8811914155538,4,X'80a09aecbf81a20601000000000180ccbe99b081a2060400008a1096c3e1b2924d020280989abc04d00f86dfddd2cc33000380a4a7da06de0ffaa0a2adb34c020280989abc04c00ffce8abc5a83300',NULL);
INSERT INTO players VALUES(1,0,76561197960265736,992,4,4,1763642700000000,4028,4056954,8840628641157,4,X'80aca78ac281a20601000000000280d8cbb7b281a2060400008a1096c3e1b2924d020280989abc04d00fa6d4a991ac34000380a8a9d702de0ffaa0a2adb34c0203809498bf08c00fcf82f182b43300',NULL);
INSERT INTO players VALUES(1,0,76561197960265737,992,4,4,1763643000000000,4028,4056954,8824807507827,4,X'80b8b4a8c481a20601000000000380e4d8d5b481a2060400008a10faa0a2adb34c020280989abc04d00fa6d4a991ac34000380a4a7da06de0f8497d4bad74c020380989abc04c00fcf82f182b43300',NULL);
INSERT INTO players VALUES(1,0,76561197960265738,1003,5,5,1763643300000000,4975,4950963,10533745957896,4,X'80c4c1c6c681a20601000000000180ccbe99b081a206050000960feabc9ecded32000380a4a7da06d00fdaabd6eed34b020280989abc04c20f86dfddd2cc33000480a4a7da06e00fb1fd8efdcb4c020280989abc04d60f8df3dc95ef3300',NULL);
INSERT INTO players VALUES(1,0,76561197960265739,1003,5,5,1763643600000000,4975,4950963,10534187644160,4,X'80d0cee4c881a20601000000000280d8cbb7b281a206050000960feabc9ecded32000380a4a7da06d00fdaabd6eed34b0202809c9c39c20f86dfddd2cc33000480a0a5dd0ae00fb1fd8efdcb4c020280989abc04d60f85a5abe8f03300',NULL);
INSERT INTO players VALUES(1,0,76561197960265740,1009,4,4,1763643300000000,3974,3948958,8777133964015,4,X'80c4c1c6c681a20601000000000380e4d8d5b481a206040000960f86dfddd2cc33000380a4a7da06d00ffaa0a2adb34c020280989abc04c40ffce8abc5a833000480a4a7da06e20ff38ca3ea904c02',NULL);
INSERT INTO players VALUES(1,0,76561197960265741,1008,4,4,1763643600000000,3972,3944954,8805406763370,4,X'80d0cee4c881a20601000000000480f0e5f3b681a206040000960fa6d4a991ac34000380a8a9d702d00ffaa0a2adb34c0203809498bf08c20fcf82f182b433000380a4a7da06e00ffbdad4978f4c02',NULL);
INSERT INTO players VALUES(1,0,76561197960265742,993,3,3,1763643000000000,2964,2928890,6199682250489,2,X'80b8b4a8c481a20601000000000580fcf291b981a206030000960fa6d4a991ac34000380a4a7da06d00f8497d4bad74c020380989abc04c20fcf82f182b43300',NULL);
INSERT INTO players VALUES(1,0,76561197960265743,993,3,3,1763643300000000,2964,2928890,6186844972996,2,X'80c4c1c6c681a206010000000006808880b0bb81a206030000960f86dfddd2cc33000480a4a7da06d00fb1fd8efdcb4c020280989abc04c20f8df3dc95ef3300',NULL);
INSERT INTO players VALUES(1,0,76561197960265744,993,3,3,1763643600000000,2964,2928890,6187286659260,2,X'80d0cee4c881a20601000000000780988fcbb981a206030000960f86dfddd2cc33000480a0a5dd0ad00fb1fd8efdcb4c020280989abc04c20f85a5abe8f03300',NULL);
INSERT INTO players VALUES(1,0,76561197960265745,971,3,3,1763643300000000,2884,2773046,6126495816025,2,X'80c4c1c6c681a20601000000000180ccbe99b081a206030000960feabc9ecded32000780d4dbd20fdc0efce8abc5a833000480a4a7da06960ff38ca3ea904c02',NULL);
INSERT INTO players VALUES(2,0,76561197960265729,1057,14,14,1763643180000000,14697,15433707,28967472770030,16,X'808c89d4c581a20601000000000280f8e9edae81a2060e0000a610eabc9ecded32020680c4c59003de109ab1e9fcfd4d020180b8b872ea10e7d6c5b2d835010580a8a9d7029410a0f6c9bcf74d000280b8b872fa0fbab9fbaee033000680c4c59003f60ff4d7acf7e24c0101809c9c399610f896b9fdbd260201ffdfe1c903bc10d9a1abf29740020580a4a7da06de10cbc9d3bdbe4d020180b8b872ee10cb8a8fdaa328010680c4c59003ba10e0b08691d74e0001809c9c39a6108b83c6a48d27000580c4c59003a010d989c6e1ec4c010280b8b872c2108ac199a1802702',NULL);
INSERT INTO players VALUES(2,0,76561197960265730,1050,14,14,1763643480000000,14678,15393842,30061312536404,16,X'809896f2c781a2060100000000068088f988ad81a2060e0000a610ad878095e232020680c4c59003de10b9b996e8db4d020180b4b6f504ea10bae2fcf8bf34010680a8a9d7029410d5cecfc9c84e000280b8b872fa0fcc9d97e59933000580c4c59003f60ffaa0a2adb34c0101809c9c399210d0c4e9aeb9320201809c9c39be1098839596e331020580a8a9d702e010808dc38b934e020180b8b872e810bff2e297a734010680c4c59003b610f6a799c3b34e0001ffdfe1c9039e10b9bbab92f432000580c4c590039a10c9bd988da14d010280b4b6f504b410fac5cdf1bf3202',NULL);
INSERT INTO players VALUES(2,0,76561197960265731,988,16,16,1763643240000000,15967,15937953,35943257497190,16,X'80a8a58dc681a20600',NULL);
INSERT INTO players VALUES(2,0,76561197960265732,1014,16,16,1763643540000000,16277,16567057,33144081909702,17,X'80b4b2abc881a20600',NULL);
INSERT INTO players VALUES(2,0,76561197960265733,1007,14,14,1763643240000000,13596,13211870,28648410489262,15,X'80a8a58dc681a206010000000003809486a7af81a2060e0000fa0ed3f8ffea9d4d000780fcfd8204a40ec4cd9f908f4d0001809c9c39fc0eb8a4dae284300201ffdfe1c903d80ec7c6e997a432000780dcdfcc079c0fabb1b0b6b731020680c4c59003b40f96c3e1b2924d020180b8b872b80f86dfddd2cc33010580a8a9d7029e0fba9888f3973f000280b8b872860f80f3bcf4ec31000580c4c59003fe0ec99a8dcfcd4c0101809c9c39a60f9891c691c1310201809c9c39c00f8ad8e6bccc31020580a8a9d702d80ff5ec98a9b83f0201ffc3c59003de0fb7c2e7f2de3201',NULL);
INSERT INTO players VALUES(2,0,76561197960265734,1020,15,15,1763643540000000,14951,14905839,29630231056786,17,X'80b4b2abc881a20601000000000180dccdb4ae81a2060f0000de0feabc9ecded320101809c9c39f60feabc9ecded32020580a8a9d702a20fa693da8c864e000780fcfd8204860fa0f6c9bcf74d0001809c9c39be0faaaf9eb39e300201809c9c39aa0fbab9fbaee033000780e0e1c903ce0ff896b9fdbd26020680c4c59003e00fcbc9d3bdbe4d020180b8b872ea0fcb8a8fdaa3280105ffd3d4ab01c40fa0a1ebf6d64d000280b4b6f504b80f8b83c6a48d27000580c4c59003b60fd989c6e1ec4c0101809c9c39c60fd9fee5de98260201809c9c39e20f8ac199a18027020580a8a9d702f80f9fde88c3cb4d02',NULL);
INSERT INTO players VALUES(2,0,76561197960265735,1001,14,14,1763643480000000,13898,13799600,29156031800176,15,X'809896f2c781a20601000000000580e8dad2b081a2060e0000de0fea93f4b69b330101ffdfe1c903f60fad878095e232020580a4a7da06a00fc8dba59dfb4f000880fcfd8204840fd5cecfc9c84e0001809c9c39be0f93b6b8dae6300201809c9c39aa0fcc9d97e59933000680e0e1c903ca0fd0c4e9aeb932020680c4c59003da0f808dc38b934e020180b8b872de0fbff2e297a734010580a8a9d702be0fe8eeb9eebe4e0002ffc3c59003b20fb9bbab92f432000580c4c59003ae0fc9bd988da14d010180989abc04c20feabb9893fd310201809c9c39d20ffac5cdf1bf3202',NULL);
INSERT INTO players VALUES(2,0,76561197960265736,1997,13,13,1763643240000000,21041,37093467,30108547540267,13,X'80a8a58dc681a20601000000000180dccdb4ae81a2060d0000c20f96c3e1b2924d010280b8b872da0fad878095e232020680e0e1c903e20fe7d6c5b2d8350101809c9c399610bcb2e0eff032020580a8a9d702c40fd6d0e1cce14f000880fcfd82049c1f88e9c682c2590001ffdfe1c903a21fd9a1abf29740020180989abc049e1feabc9ecded32000680e0e1c903a41fc6e7f78ce840020680c4c59003a81ff5fcb9dbf258020180b8b872a81fb7e5f2b0b233010580a8a9d702a01fa7819aa1e759000280b8b8729a1f8b93e7d6c74000',NULL);
INSERT INTO players VALUES(2,0,76561197960265737,970,13,13,1763643540000000,12898,12801130,27258830029241,13,X'80b4b2abc881a20601000000000580e8dad2b081a2060d0000c20f96ec8bc9e44c010280b8b872da0fdaeca5f3f931020680e0e1c903e40fbae2fcf8bf340101809c9c399a10e089b6c38832020680a8a9d702c60fedc9c7a5994f000780fcfd82049c0fb0bb96d1c64d0001809c9c39aa0f98839596e3310201809c9c39920fb5b6acc2c1320006ff9b9c39b00fe0de9489a932020680c4c59003cc0fc7c4d4ed8b4d020180b4b6f504d40fa7f6b99e9333010580a8a9d702a80f96c4e7ec824e000280b8b872940fe1a1f7bcb43200',NULL);
INSERT INTO players VALUES(2,0,76561197960265738,1001,13,13,1763643240000000,12605,12228695,25431569630868,13,X'80a8a58dc681a206010000000003809486a7af81a2060d0000fa0ed3f8ffea9d4d0001809c9c39c20e94a6d9b8a732000580c4c59003b60e99a9bacda74a010280b8b8728e0fb8a4dae284300207ff9b9c39940f8ca8d3889d33010180989abc04b80fabb1b0b6b7310205ffd3d4ab019a0fa7ded48de83f000780f8fb8508fe0eba9888f3973f0001809c9c39a80f809de0c788310201809c9c39980f80f3bcf4ec31000680e0e1c903b80f9891c691c131020680c4c59003cc0ff5ec98a9b83f0201ffc3c59003d20fb7c2e7f2de3201',NULL);
INSERT INTO players VALUES(2,0,76561197960265739,1030,13,13,1763643540000000,13057,13117995,25855005850645,13,X'80b4b2abc881a20601000000000180dccdb4ae81a2060d0000de0feabc9ecded32010680c4c59003c60fa693da8c864e0001809c9c399e0fe6ce96838232000580c4c59003920fc69d8387c04b010280b8b872dc0faaaf9eb39e30020780e0e1c903e20f8ca8d3889d330101809c9c39fc0ff896b9fdbd26020580a8a9d702dc0fe8fceae99c4e000700c40fa0a1ebf6d64d000180989abc04ea0fa0cff9eea8310201809c9c39e00f8b83c6a48d27000680e0e1c903fe0fd9fee5de9826020680c4c590038c109fde88c3cb4d02',NULL);
INSERT INTO players VALUES(2,0,76561197960265740,1014,14,14,1763643420000000,14237,14480953,29003524262402,15,X'80fcf9b8c781a20601000000000480b0a2e0af81a2060e00008810ecd9a6c7d84d020180b8b8729610ea93f4b69b33010680c4c59003da0fc8dba59dfb4f0001ffdfe1c903ca0fc7c6e997a432000680c4c59003c20ff4d7acf7e24c010180989abc04f40fabb1b0b6b7310201809c9c39861093b6b8dae630020680e0e1c9038c1086dfddd2cc330101809c9c39aa10d0c4e9aeb932020580a8a9d702fa0f80e39fb8f74e000780fcfd8204da0fe8eeb9eebe4e0001809c9c39ec0f8ad8e6bccc310201ffdfe1c903da0fb9bbab92f432000680dcdfcc07ec0feabb9893fd3102',NULL);
INSERT INTO players VALUES(2,0,76561197960265741,984,16,16,1763643240000000,16255,16523995,34330947913539,16,X'80a8a58dc681a20600',NULL);
INSERT INTO players VALUES(2,0,76561197960265742,1000,15,15,1763643540000000,15318,15650868,31757257021025,16,X'80b4b2abc881a20601000000000580e8dad2b081a2060f0000c20f96ec8bc9e44c0101ffdfe1c903da0fad878095e232020180989abc049a10daeca5f3f9310205ffd3d4ab01d210b9b996e8db4d020180b4b6f504de10bae2fcf8bf34010780c4c590038610edc9c7a5994f0001809c9c39da0fcc9d97e59933000580c4c59003d40ffaa0a2adb34c010280b8b872f40f98839596e331020680e0e1c903fc0fbff2e297a7340101ffdfe1c903ac10e0de9489a932020580a4a7da06f40ff6a799c3b34e000780fcfd8204ca0f96c4e7ec824e0001809c9c39e80ffac5cdf1bf320201809c9c39d00fe1a1f7bcb43200',NULL);
INSERT INTO players VALUES(2,0,76561197960265743,973,14,14,1763643180000000,13588,13195004,29876226284948,14,X'808c89d4c581a20601000000000280f8e9edae81a2060e0000fa0e96c3e1b2924d000280b8b872c20e94a6d9b8a732000580c4c59003b60e99a9bacda74a0101809c9c398c0fbcb2e0eff0320201809c9c39b40fb8a4dae28430020580a8a9d702ca0fc6c684d19f4c0202ffc3c59003d20f8ca8d3889d33010680c4c59003a40fa7ded48de83f000180989abc048c0feabc9ecded32000580c4c59003820fb5f5f0a5dc57010280b8b872a40f809de0c78831020680e0e1c903a80fb7e5f2b0b2330101809c9c39c20f9891c691c131020580a8a9d7029a0ff6bee6deff5800',NULL);
INSERT INTO players VALUES(2,0,76561197960265744,1011,15,15,1763643480000000,15105,15215321,30941975302711,15,X'809896f2c781a20601000000000180dccdb4ae81a2060f0000de0feabc9ecded320105ffd3d4ab01c60fd3f8ffea9d4d000280b4b6f5049e0fe6ce96838232000580c4c59003920fc69d8387c04b0101809c9c39da0fe089b6c388320201809c9c39fa0faaaf9eb39e30020680a8a9d7028a10b4e2e89ae64c020180b8b87290108ca8d3889d33010680c4c59003e20fe8fceae99c4e0001809c9c39d00fb5b6acc2c132000580c4c59003cc0fc18d9de8d84b010280b8b872e80fa0cff9eea831020680e0e1c903ec0fa7f6b99e93330101809c9c398810d9fee5de9826020580a8a9d702e60f86bab28ec04d00',NULL);
INSERT INTO players VALUES(2,0,76561197960265745,1030,15,15,1763643420000000,15287,15582285,31465439122723,17,X'80fcf9b8c781a20601000000000480b0a2e0af81a2060f00008810ecd9a6c7d84d020180b8b8729610ea93f4b69b33010580a8a9d702dc0fc4cd9f908f4d0002ffc3c59003cc0fc7c6e997a432000680c4c59003c40ff4d7acf7e24c010180989abc04f40fabb1b0b6b7310201809c9c39861093b6b8dae630020580a8a9d7029c1096c3e1b2924d020180b8b872a21086dfddd2cc33010680c4c59003f60f80e39fb8f74e0001809c9c39e40f80f3bcf4ec31000580c4c59003e20fc99a8dcfcd4c010280b8b872f00f8ad8e6bccc310206ff9b9c39f40fb7c2e7f2de32010180989abc048c10eabb9893fd3102',NULL);
CREATE TABLE entries (
    pool_id bigint not null,
    player_id bigint not null,
    chunk bigint not null,
    generation bigint not null,
    first_position bigint not null,
    ended_from bigint not null,
    ended_to bigint not null,
    content blob not null,
    primary key (pool_id, player_id, chunk, generation)
) without rowid;
INSERT INTO entries VALUES(2,76561197960265731,0,1,2,1763640120000000,1763643240000000,X'000000000280f8e9edae81a206100000fa0e96c3e1b2924d0001809c9c39d00fad878095e2320201809c9c39be0f94a6d9b8a732000580c4c59003c40fe7d6c5b2d8350101809c9c39e40fbcb2e0eff032020680c4c59003fa0fc6c684d19f4c0202ffc3c5900382108ca8d3889d33010580a4a7da06c80f88e9c682c259000280b8b872b80feabc9ecded32000580c4c59003b00fb5f5f0a5dc570101809c9c39c60fc6e7f78ce8400201809c9c39d60f809de0c78831020580a8a9d702e20ff5fcb9dbf258020180b8b872e60fb7e5f2b0b233010680c4c59003c60ff6bee6deff580001809c9c39b80f8b93e7d6c74000');
INSERT INTO entries VALUES(2,76561197960265732,0,1,6,1763639880000000,1763643540000000,X'00000000068088f988ad81a206100000fa0ed3f8ffea9d4d000180989abc04d20fdaeca5f3f9310201809c9c39c00fe6ce96838232000680e0e1c903f40fe089b6c38832020780c4c590038c10b4e2e89ae64c020180b8b87296108ca8d3889d33010580a8a9d702de0fb0bb96d1c64d0001809c9c39fe0f98839596e3310201809c9c39e00fb5b6acc2c132000580c4c59003dc0fc18d9de8d84b0101ffdfe1c903f40fe0de9489a932020180989abc049810a0cff9eea8310205ffd3d4ab01b410c7c4d4ed8b4d020180b4b6f504bc10a7f6b99e9333010680c4c59003881086bab28ec04d0001809c9c39ec0fe1a1f7bcb43200');
INSERT INTO entries VALUES(2,76561197960265741,0,1,1,1763640060000000,1763643240000000,X'000000000180dccdb4ae81a206100000c20f96c3e1b2924d0101809c9c39da0feabc9ecded320201809c9c399810ad878095e232020580a8a9d702d0109ab1e9fcfd4d020180b8b872dc10e7d6c5b2d835010680c4c590038410d6d0e1cce14f0001809c9c39d80fbab9fbaee033000680c4c59003d20ff4d7acf7e24c0102ffc3c59003ec0fd9a1abf29740020680dcdfcc07fa0fcb8a8fdaa3280101809c9c39a010c6e7f78ce840020580a8a9d702ea0fe0b08691d74e0001809c9c39d60f8b83c6a48d27000680e0e1c903b00fa7819aa1e7590001809c9c39ca0f8ac199a180270201809c9c39b00f8b93e7d6c74000');
CREATE TABLE round_groups (
    pool_id bigint not null,
    kind text not null,
    name text not null,
    rounds bigint not null,
    draws bigint not null,
    right_halves bigint not null,
    score_halves bigint not null,
    predicted bigint not null,
    brier bigint not null,
    log_loss bigint not null,
    lead bigint not null,
    primary key (pool_id, kind, name)
) without rowid;
INSERT INTO round_groups VALUES(1,'lead','55',2,0,4,4,5077134026,1436538040,4516967172,1768);
INSERT INTO round_groups VALUES(1,'lead','57',2,0,4,4,5108666237,1410864008,4463783264,1841);
INSERT INTO round_groups VALUES(1,'lead','58',3,0,6,6,7690796652,2093824962,6649019832,2826);
INSERT INTO round_groups VALUES(1,'lead','59',2,0,4,4,5140107744,1385494284,4411078134,1914);
INSERT INTO round_groups VALUES(1,'lead','60',1,0,2,2,2573063491,690331849,2200512459,964);
INSERT INTO round_groups VALUES(1,'lead','62',2,0,4,4,5177027632,1355997976,4349599676,2000);
INSERT INTO round_groups VALUES(1,'map','Übungsgelände 竞技场',6,0,12,12,15378881255,4190155654,13303031379,5646);
INSERT INTO round_groups VALUES(1,'server','arena-1',12,0,24,24,30766795782,8373051119,26590960537,11313);
INSERT INTO round_groups VALUES(1,'team_size','2 v 3',12,0,24,0,20772811770,8373051119,26590960537,-11313);
INSERT INTO round_groups VALUES(2,'lead','0',1,0,2,2,2153747124,1067487482,2964535752,14);
INSERT INTO round_groups VALUES(2,'lead','116',1,1,0,1,2943430415,147505490,3294389805,1868);
INSERT INTO round_groups VALUES(2,'lead','123',2,0,2,2,5969138184,2477194205,6669987368,3951);
INSERT INTO round_groups VALUES(2,'lead','126',1,0,0,0,3003651181,2100579538,5161614381,2026);
INSERT INTO round_groups VALUES(2,'lead','128',1,0,0,0,3013413280,2114255819,5194206852,2052);
INSERT INTO round_groups VALUES(2,'lead','2',1,0,0,0,2166273650,1092614031,3014789850,42);
INSERT INTO round_groups VALUES(2,'lead','3',1,0,2,2,2174773117,1046625748,2922809409,61);
INSERT INTO round_groups VALUES(2,'lead','48',1,1,0,1,2493410213,27861723,3033503635,780);
INSERT INTO round_groups VALUES(2,'lead','54',1,1,0,1,2533374004,34671129,3047530960,872);
INSERT INTO round_groups VALUES(2,'lead','55',1,1,0,1,2539864530,35847248,3049963062,887);
INSERT INTO round_groups VALUES(2,'lead','58',2,1,2,3,5122028141,742430857,5284236983,1872);
INSERT INTO round_groups VALUES(2,'lead','59',1,1,0,1,2570483923,41660208,3062024332,958);
INSERT INTO round_groups VALUES(2,'lead','60',4,3,2,5,10305574112,815624679,11387233396,3887);
INSERT INTO round_groups VALUES(2,'lead','61',1,1,0,1,2578648161,43283877,3065405409,977);
INSERT INTO round_groups VALUES(2,'lead','62',7,1,4,5,18123022729,7649086033,23292459735,7008);
INSERT INTO round_groups VALUES(2,'lead','63',1,1,0,1,2592369032,46082541,3071245784,1009);
INSERT INTO round_groups VALUES(2,'lead','64',4,0,4,4,10406265427,4486145146,12299303781,4122);
INSERT INTO round_groups VALUES(2,'lead','65',3,0,4,4,7821144710,2908043888,8297200958,3130);
INSERT INTO round_groups VALUES(2,'lead','66',4,0,2,2,10468562768,5440563935,14240451586,4268);
INSERT INTO round_groups VALUES(2,'lead','67',2,0,2,2,5247052514,2255563414,6175874467,2164);
INSERT INTO round_groups VALUES(2,'lead','68',1,0,0,0,2630752661,1611388187,4072018204,1099);
INSERT INTO round_groups VALUES(2,'lead','69',2,0,0,0,5269995672,3233186535,8165978631,2218);
INSERT INTO round_groups VALUES(2,'lead','70',1,0,0,0,2640087142,1622843584,4096176235,1121);
INSERT INTO round_groups VALUES(2,'lead','71',1,0,0,0,2648556028,1633271816,4118212260,1141);
INSERT INTO round_groups VALUES(2,'lead','72',1,0,0,0,2657430649,1644235490,4141425965,1162);
INSERT INTO round_groups VALUES(2,'lead','75',1,0,0,0,2676385306,1667774819,4191430624,1207);
INSERT INTO round_groups VALUES(2,'lead','76',1,0,0,0,2683103835,1676158559,4209295593,1223);
INSERT INTO round_groups VALUES(2,'map','Übungsgelände 竞技场',24,6,14,18,62681603027,23969459560,81103498880,25450);
INSERT INTO round_groups VALUES(2,'server','public-1',48,12,26,36,125327852614,47661985981,161523305017,50885);
INSERT INTO round_groups VALUES(2,'team_size','2 v 3',48,12,26,60,80830577594,47661985981,161523305017,-50885);
CREATE TABLE scoreboards (
    pool_id bigint not null,
    position bigint not null,
    content blob not null,
    primary key (pool_id, position),
    foreign key (pool_id, position) references rounds (pool_id, position) on delete cascade
) without rowid;
CREATE INDEX rounds_by_time on rounds (pool_id, ended_at, position, server, voided_at);
CREATE INDEX rounds_by_server on rounds (pool_id, server, ended_at, position);
CREATE INDEX rounds_voided on rounds (pool_id, position) where voided_at is not null;
CREATE INDEX rounds_by_settings on rounds (settings_id, pool_id, position);
CREATE INDEX rounds_by_secret on rounds (pool_id, secret, received_at) where secret is not null;
CREATE INDEX changes_of_rounds on changes (pool_id, round_position)
    where round_position is not null;
CREATE INDEX changes_of_players on changes (pool_id, player_id, position)
    where player_id is not null;
CREATE INDEX seasons on changes (pool_id, position) where kind = 'season';
CREATE INDEX season_standings_by_rank on season_standings (pool_id, position, rank, player_id)
    where rank is not null;
CREATE INDEX season_standings_of_players on season_standings (pool_id, player_id, position);
CREATE INDEX audit_of_pools on audit (pool_id, made_at, id);
CREATE INDEX interventions_by_time on interventions (pool_id, first_asked_at, id);
CREATE INDEX interventions_by_server on interventions (pool_id, server, first_asked_at, id);
CREATE INDEX interventions_by_last_asked on interventions (pool_id, server, last_asked_at);
CREATE INDEX past_split_tables_by_time on past_split_tables (computed_at);
CREATE INDEX player_names_strangers on player_names (stranger_since) where stranger_since is not null;
CREATE INDEX results_by_number on results (pool_id, number);
CREATE VIEW unrated_in_reports as
select rounds.pool_id, cast(player.value ->> 'id' as integer) as player_id, rounds.position
from rounds cross join json_tree(rounds.report) as player
where (rounds.report like '%"participated":false%' or rounds.report like '%"seconds":0%')
  and player.type = 'object'
  and (player.value ->> 'participated' = 0 or player.value ->> 'seconds' = 0);
CREATE TRIGGER rounds_unrated after insert on rounds
when new.report like '%"participated":false%' or new.report like '%"seconds":0%'
begin
    insert into unrated_players (pool_id, player_id, position)
    select pool_id, player_id, position from unrated_in_reports
    where pool_id = new.pool_id and position = new.position
    on conflict do nothing;
end;
COMMIT;
