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
INSERT INTO _sqlx_migrations VALUES(1,'ratings','2026-11-21 17:20:37',1,X'fce5d3d4b91fdf700ca66904001c105ce86b2779465f89717e4413d70ebe034d163ee0289c8fe22010df8736c52e96e4',2079489);
CREATE TABLE pools (
    id bigint not null primary key,
    name text not null unique,
    -- The book in force; 0 only while the pool is being made.
    book bigint not null,
    -- Positions given out in the pool's log; rounds and admin changes share them.
    log_length bigint not null,
    -- Sums over every round that counts, only ever added to in the order of the log.
    rounds bigint not null,
    draws bigint not null,
    brier double precision not null,
    log_loss double precision not null,
    right_halves bigint not null,
    score_halves bigint not null,
    -- The same sums of the rounds that had a favourite, seen from it.
    favourites bigint not null,
    favourite_predicted double precision not null,
    favourite_score_halves bigint not null,
    favourite_brier double precision not null,
    -- JSON: for every bin of predictions [rounds, sum of predictions, halves won].
    calibration text not null,
    -- JSON: for every bucket of rounds played before [entries, sum of K, sum of C], in units of 2^-20.
    experience text not null
);
INSERT INTO pools VALUES(1,'arena',1,13,12,0,1.9495028813843464643,6.1911904568871687359,24,24,12,7.163452865389084323,24,1.9495028813843464643,'[[0,0.0,0],[0,0.0,0],[0,0.0,0],[0,0.0,0],[0,0.0,0],[10,5.958082189432101,20],[2,1.2053706759569833,4],[0,0.0,0],[0,0.0,0],[0,0.0,0]]','[[18,1358954496,18874368],[43,2002849642,27393100],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0]]');
INSERT INTO pools VALUES(2,'default',2,49,48,12,11.097170872967550891,37.607575071856423677,26,36,45,27.692351634096841195,34,10.350546500975505992,'[[0,0.0,0],[0,0.0,0],[0,0.0,0],[0,0.0,0],[3,1.4878129578330854,2],[10,5.952253686866501,12],[34,21.03848299361493,22],[1,0.7016149536154007,0],[0,0.0,0],[0,0.0,0]]','[[17,1283457024,17825792],[68,3588174474,49524543],[85,2681337613,40321938],[74,1895339341,27942089],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0],[0,0,0]]');
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
    -- Where in the log the round was voided; null while it counts. It follows from the log, and
    -- changes with the book that was computed accordingly.
    voided_at bigint,
    primary key (pool_id, position),
    -- What makes a retry safe: no round can be counted twice, whoever sends it, wherever.
    unique (server, round_id)
);
INSERT INTO rounds VALUES(2,1,'public-1','public-1:1',1763640060000000,1795281637314284,'{"round_id":"public-1:1","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:01:00Z","pool":"default","winner":"draw","team_a":["76561197960265736","76561197960265741",{"id":"76561197960265729","participated":false}],"team_b":["76561197960265734","76561197960265739",{"id":"76561197960265744","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,2,'public-1','public-1:2',1763640120000000,1795281637314284,'{"round_id":"public-1:2","server":"public-1","ended_at":"2025-11-20T12:02:00Z","pool":"default","winner":"b","team_a":["76561197960265743","76561197960265731",{"id":"76561197960265736","participated":false}],"team_b":["76561197960265741","76561197960265729",{"id":"76561197960265734","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,3,'public-1','public-1:3',1763640180000000,1795281637314284,'{"round_id":"public-1:3","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:03:00Z","pool":"default","winner":"b","team_a":["76561197960265733","76561197960265738",{"id":"76561197960265743","participated":false}],"team_b":["76561197960265731","76561197960265736",{"id":"76561197960265741","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,4,'public-1','public-1:4',1763640240000000,1795281637314284,'{"round_id":"public-1:4","server":"public-1","ended_at":"2025-11-20T12:04:00Z","pool":"default","winner":"a","team_a":["76561197960265740","76561197960265745",{"id":"76561197960265733","participated":false}],"team_b":["76561197960265738","76561197960265743",{"id":"76561197960265731","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(1,1,'arena-1','arena-1:5',1763640300000000,1795281637320000,'{"round_id":"arena-1:5","server":"arena-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:05:00Z","pool":"arena","winner":"a","team_a":["76561197960265730","76561197960265735",{"id":"76561197960265740","participated":false}],"team_b":["76561197960265745","76561197960265733",{"id":"76561197960265738","at_start":false}]}',1,NULL);
INSERT INTO rounds VALUES(2,5,'public-1','public-1:6',1763640360000000,1795281637326372,'{"round_id":"public-1:6","server":"public-1","ended_at":"2025-11-20T12:06:00Z","pool":"default","winner":"draw","team_a":["76561197960265737","76561197960265742",{"id":"76561197960265730","participated":false}],"team_b":["76561197960265735","76561197960265740",{"id":"76561197960265745","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,6,'public-1','public-1:7',1763639880000000,1795281637326372,'{"round_id":"public-1:7","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T11:58:00Z","pool":"default","winner":"b","team_a":["76561197960265744","76561197960265732",{"id":"76561197960265737","participated":false}],"team_b":["76561197960265742","76561197960265730",{"id":"76561197960265735","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,7,'public-1','public-1:8',1763640480000000,1795281637326372,'{"round_id":"public-1:8","server":"public-1","ended_at":"2025-11-20T12:08:00Z","pool":"default","winner":"b","team_a":["76561197960265734","76561197960265739",{"id":"76561197960265744","participated":false}],"team_b":["76561197960265732","76561197960265737",{"id":"76561197960265742","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,8,'public-1','public-1:9',1763640540000000,1795281637326372,'{"round_id":"public-1:9","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:09:00Z","pool":"default","winner":"a","team_a":["76561197960265741","76561197960265729",{"id":"76561197960265734","participated":false}],"team_b":["76561197960265739","76561197960265744",{"id":"76561197960265732","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(1,2,'arena-1','arena-1:10',1763640600000000,1795281637334465,'{"round_id":"arena-1:10","server":"arena-1","ended_at":"2025-11-20T12:10:00Z","pool":"arena","winner":"a","team_a":["76561197960265731","76561197960265736",{"id":"76561197960265741","participated":false}],"team_b":["76561197960265729","76561197960265734",{"id":"76561197960265739","at_start":false}]}',1,NULL);
INSERT INTO rounds VALUES(2,9,'public-1','public-1:11',1763640660000000,1795281637342441,'{"round_id":"public-1:11","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:11:00Z","pool":"default","winner":"draw","team_a":["76561197960265738","76561197960265743",{"id":"76561197960265731","participated":false}],"team_b":["76561197960265736","76561197960265741",{"id":"76561197960265729","at_start":false},{"id":"76561197960265731","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,10,'public-1','public-1:12',1763640720000000,1795281637342441,'{"round_id":"public-1:12","server":"public-1","ended_at":"2025-11-20T12:12:00Z","pool":"default","winner":"b","team_a":["76561197960265745","76561197960265733",{"id":"76561197960265738","participated":false}],"team_b":["76561197960265743","76561197960265731",{"id":"76561197960265736","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,11,'public-1','public-1:13',1763640780000000,1795281637342441,'{"round_id":"public-1:13","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:13:00Z","pool":"default","winner":"b","team_a":["76561197960265735","76561197960265740",{"id":"76561197960265745","participated":false}],"team_b":["76561197960265733","76561197960265738",{"id":"76561197960265743","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,12,'public-1','public-1:14',1763640300000000,1795281637342441,'{"round_id":"public-1:14","server":"public-1","ended_at":"2025-11-20T12:05:00Z","pool":"default","winner":"a","team_a":["76561197960265742","76561197960265730",{"id":"76561197960265735","participated":false}],"team_b":["76561197960265740","76561197960265745",{"id":"76561197960265733","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(1,3,'arena-1','arena-1:15',1763640900000000,1795281637355633,'{"round_id":"arena-1:15","server":"arena-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:15:00Z","pool":"arena","winner":"a","team_a":["76561197960265732","76561197960265737",{"id":"76561197960265742","participated":false}],"team_b":["76561197960265730","76561197960265735",{"id":"76561197960265740","at_start":false}]}',1,NULL);
INSERT INTO rounds VALUES(2,13,'public-1','public-1:16',1763640960000000,1795281637362418,'{"round_id":"public-1:16","server":"public-1","ended_at":"2025-11-20T12:16:00Z","pool":"default","winner":"draw","team_a":["76561197960265739","76561197960265744",{"id":"76561197960265732","participated":false}],"team_b":["76561197960265737","76561197960265742",{"id":"76561197960265730","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,14,'public-1','public-1:17',1763641020000000,1795281637362418,'{"round_id":"public-1:17","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:17:00Z","pool":"default","winner":"b","team_a":["76561197960265729","76561197960265734",{"id":"76561197960265739","participated":false}],"team_b":["76561197960265744","76561197960265732",{"id":"76561197960265737","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,15,'public-1','public-1:18',1763641080000000,1795281637362418,'{"round_id":"public-1:18","server":"public-1","ended_at":"2025-11-20T12:18:00Z","pool":"default","winner":"b","team_a":["76561197960265736","76561197960265741",{"id":"76561197960265729","participated":false}],"team_b":["76561197960265734","76561197960265739",{"id":"76561197960265744","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,16,'public-1','public-1:19',1763641140000000,1795281637362418,'{"round_id":"public-1:19","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:19:00Z","pool":"default","winner":"a","team_a":["76561197960265743","76561197960265731",{"id":"76561197960265736","participated":false}],"team_b":["76561197960265741","76561197960265729",{"id":"76561197960265734","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(1,4,'arena-1','arena-1:20',1763641200000000,1795281637370410,'{"round_id":"arena-1:20","server":"arena-1","ended_at":"2025-11-20T12:20:00Z","pool":"arena","winner":"a","team_a":["76561197960265733","76561197960265738",{"id":"76561197960265743","participated":false}],"team_b":["76561197960265731","76561197960265736",{"id":"76561197960265741","at_start":false}]}',1,NULL);
INSERT INTO rounds VALUES(2,18,'public-1','public-1:21',1763640720000000,1795281637384211,'{"round_id":"public-1:21","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:12:00Z","pool":"default","winner":"draw","team_a":["76561197960265740","76561197960265745",{"id":"76561197960265733","participated":false}],"team_b":["76561197960265738","76561197960265743",{"id":"76561197960265731","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,19,'public-1','public-1:22',1763641320000000,1795281637384211,'{"round_id":"public-1:22","server":"public-1","ended_at":"2025-11-20T12:22:00Z","pool":"default","winner":"b","team_a":["76561197960265730","76561197960265735",{"id":"76561197960265740","participated":false}],"team_b":["76561197960265745","76561197960265733",{"id":"76561197960265738","at_start":false},{"id":"76561197960265740","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,20,'public-1','public-1:23',1763641380000000,1795281637384211,'{"round_id":"public-1:23","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:23:00Z","pool":"default","winner":"b","team_a":["76561197960265737","76561197960265742",{"id":"76561197960265730","participated":false}],"team_b":["76561197960265735","76561197960265740",{"id":"76561197960265745","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,21,'public-1','public-1:24',1763641440000000,1795281637384211,'{"round_id":"public-1:24","server":"public-1","ended_at":"2025-11-20T12:24:00Z","pool":"default","winner":"a","team_a":["76561197960265744","76561197960265732",{"id":"76561197960265737","participated":false}],"team_b":["76561197960265742","76561197960265730",{"id":"76561197960265735","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(1,5,'arena-1','arena-1:25',1763641500000000,1795281637389575,'{"round_id":"arena-1:25","server":"arena-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:25:00Z","pool":"arena","winner":"a","team_a":["76561197960265734","76561197960265739",{"id":"76561197960265744","participated":false}],"team_b":["76561197960265732","76561197960265737",{"id":"76561197960265742","at_start":false}]}',1,NULL);
INSERT INTO rounds VALUES(2,22,'public-1','public-1:26',1763641560000000,1795281637398408,'{"round_id":"public-1:26","server":"public-1","ended_at":"2025-11-20T12:26:00Z","pool":"default","winner":"draw","team_a":["76561197960265741","76561197960265729",{"id":"76561197960265734","participated":false}],"team_b":["76561197960265739","76561197960265744",{"id":"76561197960265732","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,23,'public-1','public-1:27',1763641620000000,1795281637398408,'{"round_id":"public-1:27","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:27:00Z","pool":"default","winner":"b","team_a":["76561197960265731","76561197960265736",{"id":"76561197960265741","participated":false}],"team_b":["76561197960265729","76561197960265734",{"id":"76561197960265739","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,24,'public-1','public-1:28',1763641140000000,1795281637398408,'{"round_id":"public-1:28","server":"public-1","ended_at":"2025-11-20T12:19:00Z","pool":"default","winner":"b","team_a":["76561197960265738","76561197960265743",{"id":"76561197960265731","participated":false}],"team_b":["76561197960265736","76561197960265741",{"id":"76561197960265729","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,25,'public-1','public-1:29',1763641740000000,1795281637398408,'{"round_id":"public-1:29","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:29:00Z","pool":"default","winner":"a","team_a":["76561197960265745","76561197960265733",{"id":"76561197960265738","participated":false}],"team_b":["76561197960265743","76561197960265731",{"id":"76561197960265736","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(1,6,'arena-1','arena-1:30',1763641800000000,1795281637406476,'{"round_id":"arena-1:30","server":"arena-1","ended_at":"2025-11-20T12:30:00Z","pool":"arena","winner":"a","team_a":["76561197960265735","76561197960265740",{"id":"76561197960265745","participated":false}],"team_b":["76561197960265733","76561197960265738",{"id":"76561197960265743","at_start":false}]}',1,NULL);
INSERT INTO rounds VALUES(2,26,'public-1','public-1:31',1763641860000000,1795281637419660,'{"round_id":"public-1:31","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:31:00Z","pool":"default","winner":"draw","team_a":["76561197960265742","76561197960265730",{"id":"76561197960265735","participated":false}],"team_b":["76561197960265740","76561197960265745",{"id":"76561197960265733","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,27,'public-1','public-1:32',1763641920000000,1795281637419660,'{"round_id":"public-1:32","server":"public-1","ended_at":"2025-11-20T12:32:00Z","pool":"default","winner":"b","team_a":["76561197960265732","76561197960265737",{"id":"76561197960265742","participated":false}],"team_b":["76561197960265730","76561197960265735",{"id":"76561197960265740","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,28,'public-1','public-1:33',1763641980000000,1795281637419660,'{"round_id":"public-1:33","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:33:00Z","pool":"default","winner":"b","team_a":["76561197960265739","76561197960265744",{"id":"76561197960265732","participated":false}],"team_b":["76561197960265737","76561197960265742",{"id":"76561197960265730","at_start":false},{"id":"76561197960265732","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,29,'public-1','public-1:34',1763642040000000,1795281637419660,'{"round_id":"public-1:34","server":"public-1","ended_at":"2025-11-20T12:34:00Z","pool":"default","winner":"a","team_a":["76561197960265729","76561197960265734",{"id":"76561197960265739","participated":false}],"team_b":["76561197960265744","76561197960265732",{"id":"76561197960265737","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(1,7,'arena-1','arena-1:35',1763641560000000,1795281637426422,'{"round_id":"arena-1:35","server":"arena-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:26:00Z","pool":"arena","winner":"a","team_a":["76561197960265736","76561197960265741",{"id":"76561197960265729","participated":false}],"team_b":["76561197960265734","76561197960265739",{"id":"76561197960265744","at_start":false}]}',1,NULL);
INSERT INTO rounds VALUES(2,30,'public-1','public-1:36',1763642160000000,1795281637434602,'{"round_id":"public-1:36","server":"public-1","ended_at":"2025-11-20T12:36:00Z","pool":"default","winner":"draw","team_a":["76561197960265743","76561197960265731",{"id":"76561197960265736","participated":false}],"team_b":["76561197960265741","76561197960265729",{"id":"76561197960265734","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,31,'public-1','public-1:37',1763642220000000,1795281637434602,'{"round_id":"public-1:37","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:37:00Z","pool":"default","winner":"b","team_a":["76561197960265733","76561197960265738",{"id":"76561197960265743","participated":false}],"team_b":["76561197960265731","76561197960265736",{"id":"76561197960265741","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,32,'public-1','public-1:38',1763642280000000,1795281637434602,'{"round_id":"public-1:38","server":"public-1","ended_at":"2025-11-20T12:38:00Z","pool":"default","winner":"b","team_a":["76561197960265740","76561197960265745",{"id":"76561197960265733","participated":false}],"team_b":["76561197960265738","76561197960265743",{"id":"76561197960265731","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,33,'public-1','public-1:39',1763642340000000,1795281637434602,'{"round_id":"public-1:39","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:39:00Z","pool":"default","winner":"a","team_a":["76561197960265730","76561197960265735",{"id":"76561197960265740","participated":false}],"team_b":["76561197960265745","76561197960265733",{"id":"76561197960265738","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(1,8,'arena-1','arena-1:40',1763642400000000,1795281637442451,'{"round_id":"arena-1:40","server":"arena-1","ended_at":"2025-11-20T12:40:00Z","pool":"arena","winner":"a","team_a":["76561197960265737","76561197960265742",{"id":"76561197960265730","participated":false}],"team_b":["76561197960265735","76561197960265740",{"id":"76561197960265745","at_start":false}]}',1,NULL);
INSERT INTO rounds VALUES(2,34,'public-1','public-1:41',1763642460000000,1795281637455103,'{"round_id":"public-1:41","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:41:00Z","pool":"default","winner":"draw","team_a":["76561197960265744","76561197960265732",{"id":"76561197960265737","participated":false}],"team_b":["76561197960265742","76561197960265730",{"id":"76561197960265735","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,35,'public-1','public-1:42',1763641980000000,1795281637455103,'{"round_id":"public-1:42","server":"public-1","ended_at":"2025-11-20T12:33:00Z","pool":"default","winner":"b","team_a":["76561197960265734","76561197960265739",{"id":"76561197960265744","participated":false}],"team_b":["76561197960265732","76561197960265737",{"id":"76561197960265742","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,36,'public-1','public-1:43',1763642580000000,1795281637455103,'{"round_id":"public-1:43","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:43:00Z","pool":"default","winner":"b","team_a":["76561197960265741","76561197960265729",{"id":"76561197960265734","participated":false}],"team_b":["76561197960265739","76561197960265744",{"id":"76561197960265732","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,37,'public-1','public-1:44',1763642640000000,1795281637455103,'{"round_id":"public-1:44","server":"public-1","ended_at":"2025-11-20T12:44:00Z","pool":"default","winner":"a","team_a":["76561197960265731","76561197960265736",{"id":"76561197960265741","participated":false}],"team_b":["76561197960265729","76561197960265734",{"id":"76561197960265739","at_start":false},{"id":"76561197960265741","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(1,10,'arena-1','arena-1:45',1763642700000000,1795281637462234,'{"round_id":"arena-1:45","server":"arena-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:45:00Z","pool":"arena","winner":"a","team_a":["76561197960265738","76561197960265743",{"id":"76561197960265731","participated":false}],"team_b":["76561197960265736","76561197960265741",{"id":"76561197960265729","at_start":false}]}',1,NULL);
INSERT INTO rounds VALUES(2,38,'public-1','public-1:46',1763642760000000,1795281637468808,'{"round_id":"public-1:46","server":"public-1","ended_at":"2025-11-20T12:46:00Z","pool":"default","winner":"draw","team_a":["76561197960265745","76561197960265733",{"id":"76561197960265738","participated":false}],"team_b":["76561197960265743","76561197960265731",{"id":"76561197960265736","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,39,'public-1','public-1:47',1763642820000000,1795281637468808,'{"round_id":"public-1:47","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:47:00Z","pool":"default","winner":"b","team_a":["76561197960265735","76561197960265740",{"id":"76561197960265745","participated":false}],"team_b":["76561197960265733","76561197960265738",{"id":"76561197960265743","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,40,'public-1','public-1:48',1763642880000000,1795281637468808,'{"round_id":"public-1:48","server":"public-1","ended_at":"2025-11-20T12:48:00Z","pool":"default","winner":"b","team_a":["76561197960265742","76561197960265730",{"id":"76561197960265735","participated":false}],"team_b":["76561197960265740","76561197960265745",{"id":"76561197960265733","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,41,'public-1','public-1:49',1763642400000000,1795281637468808,'{"round_id":"public-1:49","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:40:00Z","pool":"default","winner":"a","team_a":["76561197960265732","76561197960265737",{"id":"76561197960265742","participated":false}],"team_b":["76561197960265730","76561197960265735",{"id":"76561197960265740","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(1,11,'arena-1','arena-1:50',1763643000000000,1795281637473927,'{"round_id":"arena-1:50","server":"arena-1","ended_at":"2025-11-20T12:50:00Z","pool":"arena","winner":"a","team_a":["76561197960265739","76561197960265744",{"id":"76561197960265732","participated":false}],"team_b":["76561197960265737","76561197960265742",{"id":"76561197960265730","at_start":false}]}',1,NULL);
INSERT INTO rounds VALUES(2,42,'public-1','public-1:51',1763643060000000,1795281637477373,'{"round_id":"public-1:51","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:51:00Z","pool":"default","winner":"draw","team_a":["76561197960265729","76561197960265734",{"id":"76561197960265739","participated":false}],"team_b":["76561197960265744","76561197960265732",{"id":"76561197960265737","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,43,'public-1','public-1:52',1763643120000000,1795281637477373,'{"round_id":"public-1:52","server":"public-1","ended_at":"2025-11-20T12:52:00Z","pool":"default","winner":"b","team_a":["76561197960265736","76561197960265741",{"id":"76561197960265729","participated":false}],"team_b":["76561197960265734","76561197960265739",{"id":"76561197960265744","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,44,'public-1','public-1:53',1763643180000000,1795281637477373,'{"round_id":"public-1:53","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:53:00Z","pool":"default","winner":"b","team_a":["76561197960265743","76561197960265731",{"id":"76561197960265736","participated":false}],"team_b":["76561197960265741","76561197960265729",{"id":"76561197960265734","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,45,'public-1','public-1:54',1763643240000000,1795281637477373,'{"round_id":"public-1:54","server":"public-1","ended_at":"2025-11-20T12:54:00Z","pool":"default","winner":"a","team_a":["76561197960265733","76561197960265738",{"id":"76561197960265743","participated":false}],"team_b":["76561197960265731","76561197960265736",{"id":"76561197960265741","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(1,12,'arena-1','arena-1:55',1763643300000000,1795281637482098,'{"round_id":"arena-1:55","server":"arena-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:55:00Z","pool":"arena","winner":"a","team_a":["76561197960265740","76561197960265745",{"id":"76561197960265733","participated":false}],"team_b":["76561197960265738","76561197960265743",{"id":"76561197960265731","at_start":false},{"id":"76561197960265733","at_start":false}]}',1,NULL);
INSERT INTO rounds VALUES(2,46,'public-1','public-1:56',1763642820000000,1795281637486067,'{"round_id":"public-1:56","server":"public-1","ended_at":"2025-11-20T12:47:00Z","pool":"default","winner":"draw","team_a":["76561197960265730","76561197960265735",{"id":"76561197960265740","participated":false}],"team_b":["76561197960265745","76561197960265733",{"id":"76561197960265738","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,47,'public-1','public-1:57',1763643420000000,1795281637486067,'{"round_id":"public-1:57","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:57:00Z","pool":"default","winner":"b","team_a":["76561197960265737","76561197960265742",{"id":"76561197960265730","participated":false}],"team_b":["76561197960265735","76561197960265740",{"id":"76561197960265745","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,48,'public-1','public-1:58',1763643480000000,1795281637486067,'{"round_id":"public-1:58","server":"public-1","ended_at":"2025-11-20T12:58:00Z","pool":"default","winner":"b","team_a":["76561197960265744","76561197960265732",{"id":"76561197960265737","participated":false}],"team_b":["76561197960265742","76561197960265730",{"id":"76561197960265735","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(2,49,'public-1','public-1:59',1763643540000000,1795281637486067,'{"round_id":"public-1:59","server":"public-1","map":"Übungsgelände 竞技场","ended_at":"2025-11-20T12:59:00Z","pool":"default","winner":"a","team_a":["76561197960265734","76561197960265739",{"id":"76561197960265744","participated":false}],"team_b":["76561197960265732","76561197960265737",{"id":"76561197960265742","at_start":false}]}',2,NULL);
INSERT INTO rounds VALUES(1,13,'arena-1','arena-1:60',1763643600000000,1795281637490772,'{"round_id":"arena-1:60","server":"arena-1","ended_at":"2025-11-20T13:00:00Z","pool":"arena","winner":"a","team_a":["76561197960265741","76561197960265729",{"id":"76561197960265734","participated":false}],"team_b":["76561197960265739","76561197960265744",{"id":"76561197960265732","at_start":false}]}',1,NULL);
CREATE TABLE changes (
    pool_id bigint not null references pools (id),
    position bigint not null,
    -- Names the change for good, so that an import cannot apply it twice.
    change_id text not null unique,
    -- set, reset, void or unvoid.
    kind text not null,
    -- Whom it concerns: with set and reset.
    player_id bigint,
    -- The rating that was set: with set.
    rating bigint,
    -- The place in the log of the round that it concerns: with void and unvoid.
    round_position bigint,
    reason text,
    made_at bigint not null,
    settings_id bigint not null references settings (id),
    primary key (pool_id, position)
);
INSERT INTO changes VALUES(2,17,'c1','set',76561197960265736,2000,NULL,'für "alle"',1795176000000001,2);
INSERT INTO changes VALUES(1,9,'c2','reset',76561197960265731,NULL,NULL,NULL,1795176001000000,1);
CREATE TABLE books (
    id bigint not null primary key,
    pool_id bigint not null references pools (id),
    -- Whether it is being computed.
    computing bigint not null,
    -- Who computes it or clears it away, and when that was last heard of: whoever writes to it makes
    -- sure in the same transaction that it is still theirs.
    owner text,
    renewed_at bigint not null,
    -- The round that is voided or restored with it, by its place in the log, and which of the two.
    round_position bigint,
    voids bigint
);
INSERT INTO books VALUES(1,1,0,NULL,0,NULL,NULL);
INSERT INTO books VALUES(2,2,0,NULL,0,NULL,NULL);
CREATE TABLE results (
    book bigint not null,
    position bigint not null,
    -- The rounds that count, up to and with this one; the window of the quality figures is found by
    -- it. A voided round has the number of the one before.
    number bigint not null,
    -- JSON: for every participant, in the order reported, [before, after, k, rounds, visible].
    players text not null,
    win_probability_a double precision not null,
    theta double precision not null,
    -- The pool's sums, this round included.
    draws bigint not null,
    brier double precision not null,
    log_loss double precision not null,
    right_halves bigint not null,
    score_halves bigint not null,
    favourites bigint not null,
    favourite_predicted double precision not null,
    favourite_score_halves bigint not null,
    favourite_brier double precision not null,
    primary key (book, position)
);
INSERT INTO results VALUES(2,1,1,'[[1000,993,72.0,1,false],[1000,993,72.0,1,false],[1000,1007,72.0,1,false],[1000,1007,72.0,1,false],[1000,1007,72.0,1,false]]',0.60268533797849166422,2400.0,1,0.010544278635757062256,0.71469337935236276759,0,1,1,0.60268533797849166422,1,0.010544278635757062256);
INSERT INTO results VALUES(2,2,2,'[[1000,957,72.0,1,false],[1000,957,72.0,1,false],[993,1005,19.96718271073841,2,false],[1000,1043,72.0,1,false],[1007,1019,19.96718271073841,2,false]]',0.60268533797849166422,2400.0,1,0.37377389525000581649,1.6377200920380587945,0,1,2,1.2053706759569833284,1,0.37377389525000581649);
INSERT INTO results VALUES(2,3,3,'[[1000,957,72.0,1,false],[1000,957,72.0,1,false],[957,1000,71.59669753809736,2,false],[993,1005,19.96718271073841,2,false],[1005,1036,51.579459786729046,3,false]]',0.60338354089316637018,2400.0,1,0.73784559267078120292,2.5625056552741058979,0,1,3,1.8087542168501498096,1,0.73784559267078120292);
INSERT INTO results VALUES(2,4,4,'[[1000,1028,72.0,1,false],[1000,1028,72.0,1,false],[957,929,71.59669753809736,2,false],[957,929,71.59669753809736,2,false],[1000,991,22.963870532813253,3,false]]',0.6069675933639927523,2400.0,1,0.89232006533687302507,3.0617855328196506015,2,3,4,2.4157218102141424509,3,0.89232006533687302507);
INSERT INTO results VALUES(1,1,1,'[[1000,1029,72.0,1,false],[1000,1029,72.0,1,false],[1000,971,72.0,1,false],[1000,971,72.0,1,false],[1000,971,72.0,1,false]]',0.60268533797849166422,2400.0,0,0.15785894065726541191,0.50636004601902950827,2,2,1,0.60268533797849166422,2,0.15785894065726541191);
INSERT INTO results VALUES(2,5,5,'[[1000,993,72.0,1,false],[1000,993,72.0,1,false],[1000,1007,72.0,1,false],[1028,1035,70.61236477645383,2,false],[1028,1035,70.61236477645383,2,false]]',0.59988836886399832248,2400.0,2,0.90229775157118319306,3.7752972257887780216,2,4,5,3.0156101790781408844,4,0.90229775157118319306);
INSERT INTO results VALUES(2,6,6,'[[1007,995,19.96718271073841,2,false],[1000,957,72.0,1,false],[993,1005,19.47778805998234,2,false],[1000,1043,72.0,1,false],[1007,1019,19.47778805998234,2,false]]',0.60338354089316637018,2400.0,2,1.2663694489919585794,4.700082789024825125,2,4,6,3.6189937199713071436,4,1.2663694489919585794);
INSERT INTO results VALUES(2,7,7,'[[1019,977,69.4771019199141,3,false],[1007,995,19.96718271073841,2,false],[957,1001,71.59669753809736,2,false],[993,1005,19.47778805998234,2,false],[1005,1037,51.88526344744513,3,false]]',0.60974726882105723113,2400.0,2,1.6381611808266971497,5.6410435100992213364,2,4,7,4.2287409887923645968,4,1.6381611808266971497);
INSERT INTO results VALUES(2,8,8,'[[1036,1064,71.71707331326594,4,false],[1043,1071,71.59669753809736,2,false],[995,975,52.19733046242527,3,false],[995,975,51.64054776907947,3,false],[1001,992,23.94564650232934,3,false]]',0.60925141492624212968,2400.0,2,1.790845637563840853,6.1365677741721054161,4,6,8,4.8379924037186068375,6,1.790845637563840853);
INSERT INTO results VALUES(1,2,2,'[[1000,1029,72.0,1,false],[1000,1029,72.0,1,false],[1000,971,72.0,1,false],[1000,971,72.0,1,false],[1000,971,72.0,1,false]]',0.60268533797849166422,2400.0,0,0.31571788131453082382,1.0127200920380590165,4,4,2,1.2053706759569833284,4,0.31571788131453082382);
INSERT INTO results VALUES(2,9,9,'[[929,923,70.90592145358785,3,false],[929,923,70.90592145358785,3,false],[1005,1009,51.64054776907947,3,false],[1064,1070,71.10971001132033,5,false],[1071,1077,70.90592145358785,3,false],[991,994,42.141334163773365,4,false]]',0.58054230482065960483,2400.0,3,1.7973327004296648645,6.8428603781502834735,4,7,9,5.4185347085392665533,7,1.7973327004296648645);
INSERT INTO results VALUES(2,10,10,'[[1035,1006,48.35555069800846,3,false],[957,914,71.59669753809736,2,false],[923,966,70.71497258564386,4,false],[994,1010,27.193170131572966,5,false],[1009,1035,43.08910323285755,4,false]]',0.60248577447869910983,2400.0,3,2.1603218088788627149,7.7653849362034197412,4,7,10,6.0210204830179652191,7,2.1603218088788627149);
INSERT INTO results VALUES(2,11,11,'[[1019,976,69.29366693179033,3,false],[1035,1005,48.35555069800846,3,false],[914,958,70.40067835495019,3,false],[923,967,70.71497258564386,4,false],[966,986,31.81078634315287,5,false]]',0.62470879299683790275,2400.0,3,2.5505828849264289281,8.7454379385672194047,4,7,11,6.6457292760148032328,7,2.5505828849264289281);
INSERT INTO results VALUES(2,12,12,'[[1037,1065,71.70117091985207,4,false],[1043,1071,71.59669753809736,2,false],[1005,997,21.50586407972011,4,false],[1006,998,19.742826489333797,4,false],[958,940,45.871791676269766,4,false]]',0.60716637391156680347,2400.0,3,2.7049011427122158224,9.2443903719349265202,6,9,12,7.2528956499263701473,9,2.7049011427122158224);
INSERT INTO results VALUES(1,3,3,'[[1000,1029,72.0,1,false],[1000,1029,72.0,1,false],[1029,1000,71.34757206272398,2,false],[1029,1000,71.34757206272398,2,false],[1000,971,72.0,1,false]]',0.59688437825976703443,2400.0,0,0.47822008580554542511,1.5287519476409652252,6,6,3,1.8022550542167503628,6,0.47822008580554542511);
INSERT INTO results VALUES(2,13,13,'[[975,969,68.43651157186785,4,false],[975,969,68.0660184359319,4,false],[1005,1010,52.442046140790936,3,false],[1065,1071,71.08185577421891,5,false],[1071,1077,70.90592145358785,3,false]]',0.58984709989584027667,2400.0,4,2.7129736440719089962,9.9539489669887490919,6,10,13,7.8427427498222108681,10,2.7129736440719089962);
INSERT INTO results VALUES(2,14,14,'[[1077,1034,70.71497258564386,4,false],[977,963,23.420692557199946,4,false],[969,1005,59.2242909330929,5,false],[992,1018,42.14752024111626,4,false],[1010,1037,44.56923349738331,4,false]]',0.6088545692109503804,2400.0,4,3.083677530520961163,10.892624809388149031,6,10,14,8.4515973190331621367,10,3.083677530520961163);
INSERT INTO results VALUES(2,15,15,'[[1035,994,66.5785912852981,5,false],[1070,1026,70.93628981526669,6,false],[963,991,45.63944159698174,5,false],[969,1006,59.50186917482248,5,false],[1005,1021,25.982127775727772,6,false]]',0.623144513481397877,2400.0,4,3.4719866152029292827,11.868518299294382956,6,10,15,9.0747418325145599027,10,3.4719866152029292827);
INSERT INTO results VALUES(2,16,16,'[[986,997,26.68210028858613,6,false],[1010,1021,26.588345299434994,6,false],[1026,1004,53.55756555024931,7,false],[1034,1021,31.433599432124463,5,false],[991,981,24.360084109822143,6,false]]',0.59568073060784720862,2400.0,4,3.6354606868047336654,12.386568741642243196,8,12,16,9.6704225631224076664,12,3.6354606868047336654);
INSERT INTO results VALUES(1,4,4,'[[971,1000,71.34757206272398,2,false],[971,1000,71.34757206272398,2,false],[1029,1000,71.34757206272398,2,false],[1029,1000,71.34757206272398,2,false],[1000,971,72.0,1,false]]',0.59105619170313961063,2400.0,0,0.64545512414988470695,2.0545961347128032237,8,8,4,2.3933112459198899735,8,0.64545512414988470695);
INSERT INTO results VALUES(2,18,17,'[[997,993,39.999323983522075,5,false],[998,994,38.54885736362655,5,false],[967,970,31.14927520661586,5,false],[997,1001,42.72918942234574,7,false],[1021,1025,38.15259402878407,7,false]]',0.59978835540546737714,2400.0,5,3.645418402679261316,13.100038835293524641,8,13,17,10.27021091852787471,13,3.645418402679261316);
INSERT INTO results VALUES(2,19,18,'[[1077,1034,70.71497258564386,4,false],[976,962,22.886769148552172,4,false],[994,1018,39.66113644665671,6,false],[940,974,55.94075574096365,5,false],[970,988,29.943366220041685,6,false],[993,1018,40.90970133940299,6,false]]',0.61380463694980835764,2400.0,5,4.0221745350203477187,14.051450750955627455,8,13,18,10.884015555477683179,13,4.0221745350203477187);
INSERT INTO results VALUES(2,20,19,'[[1037,995,68.37088403823564,5,false],[1071,1027,70.90592145358785,6,false],[962,991,47.06156634313805,5,false],[1018,1027,14.723130912859638,7,false],[1018,1027,14.448682363599689,7,false]]',0.61873128852610070893,2400.0,5,4.4050029424215164652,15.015701623944689657,8,13,19,11.502746844003784332,13,4.4050029424215164652);
INSERT INTO results VALUES(2,21,20,'[[1021,1029,19.611054879031613,7,false],[1018,1030,28.933460757206003,5,false],[1027,1005,54.649173096874016,7,false],[1034,1021,31.744759576192312,5,false],[991,981,23.764694753495977,6,false]]',0.59998837399772475542,2400.0,5,4.5650122433585007541,15.526546624568869248,10,15,20,12.102735218001509309,15,4.5650122433585007541);
INSERT INTO results VALUES(1,5,5,'[[971,1000,71.34757206272398,2,false],[971,1000,71.34757206272398,2,false],[1029,1000,71.81627278479468,2,false],[1029,1000,71.81627278479468,2,false],[1000,971,72.0,1,false]]',0.59105619170313961063,2400.0,0,0.81269016249422398878,2.5804403217846410001,10,10,5,2.9843674376230295841,10,0.81269016249422398878);
INSERT INTO results VALUES(2,22,21,'[[1004,1001,34.59900559814882,8,false],[1021,1019,21.72591182397355,6,false],[1006,1009,25.676999154379097,6,false],[1029,1032,34.509526569254675,8,false],[1030,1035,46.84452097932185,6,false]]',0.59978835540546737714,2400.0,6,4.5749699592330284048,16.240016718220150693,10,16,21,12.702523573406976353,16,4.5749699592330284048);
INSERT INTO results VALUES(2,23,22,'[[1025,996,40.82566288056035,8,false],[2000,1998,3.352454700149055,6,false],[1019,1035,23.5928148176849,7,false],[981,999,25.18442216134578,7,false],[1009,1022,18.03027517253846,7,false]]',0.69934203781485015927,2400.0,6,5.0640492450880554287,17.44179871683056504,10,16,22,13.401865611221825957,16,5.0640492450880554287);
INSERT INTO results VALUES(2,24,23,'[[988,973,30.16268545374248,7,false],[1001,978,46.64744241647562,8,false],[1998,2001,5.114232526818461,7,false],[1001,1014,25.402524239465645,9,false],[1035,1054,38.072248729971015,8,false]]',0.49854167080197275829,2400.0,6,5.3125930426140781648,18.132033484190035466,12,16,22,13.401865611221825957,16,5.0640492450880554287);
INSERT INTO results VALUES(2,25,24,'[[1027,1038,27.32497227433434,8,false],[974,986,29.677111099746206,6,false],[978,966,30.077420195452788,9,false],[996,988,20.407294126264077,9,false],[2001,1999,5.056413338947515,8,false]]',0.60268533797849166422,2400.0,6,5.4704519832713431881,18.638393530209064863,14,18,23,14.004550949200318399,18,5.221908185745320452);
INSERT INTO results VALUES(1,6,6,'[[1000,1007,16.60480619761079,3,false],[971,1000,71.81627278479468,2,false],[1000,993,17.114772521326863,3,false],[1000,993,17.114772521326863,3,false],[1000,971,72.0,1,false]]',0.59688437825976703443,2400.0,0,0.97519236698523859008,3.0964721773875472088,12,12,6,3.5812518158827968406,12,0.97519236698523859008);
INSERT INTO results VALUES(2,26,25,'[[1005,1002,35.65594019931219,8,false],[1021,1019,22.12595664509157,6,false],[1027,1030,26.993289613535005,8,false],[1038,1041,32.61616489287539,9,false],[986,988,20.121682807821966,7,false]]',0.59688437825976703443,2400.0,7,5.4798385660221251569,19.350675385811971551,14,19,24,14.601435327460086099,19,5.2312947684961024208);
INSERT INTO results VALUES(2,27,26,'[[1035,1007,46.56201416610143,7,false],[995,974,34.453373944776,6,false],[1019,1033,23.174756944472463,7,false],[981,997,25.999782804274684,7,false],[1030,1045,24.89985499938082,9,false]]',0.6058736684317606036,2400.0,7,5.8469214681210841533,20.281759168391644721,14,19,25,15.207308995891846592,19,5.5983776705950614172);
INSERT INTO results VALUES(2,28,27,'[[1022,1006,26.346047280006523,8,false],[1032,1009,37.5418615928472,9,false],[974,981,11.941239562001076,7,false],[1002,1018,26.35788185979841,9,false],[1033,1055,36.334570363386234,8,false],[1007,1023,26.72410182878781,8,false]]',0.61113445078989714343,2400.0,7,6.2204067850633535385,21.226280795350426443,14,19,26,15.81844344668174429,19,5.9718629875373308024);
INSERT INTO results VALUES(2,29,28,'[[1054,1071,42.61557759777201,9,false],[999,1008,23.30236319392554,8,false],[1009,1000,23.603306827604545,10,false],[1023,1008,37.07576421113879,9,false],[981,969,30.914828879915863,8,false]]',0.60537607809496907229,2400.0,7,6.3761348248030618179,21.728186192739446624,16,21,27,16.423819524776714473,21,6.1275910272770390818);
INSERT INTO results VALUES(1,7,7,'[[1000,1007,17.114772521326863,3,false],[971,1000,71.81627278479468,2,false],[1000,993,17.114772521326863,3,false],[1000,993,17.114772521326863,3,false],[1000,971,72.0,1,false]]',0.59688437825976703443,2400.0,0,1.1376945714762531913,3.6125040329904534175,14,14,7,4.178136194142563653,14,1.1376945714762531913);
INSERT INTO results VALUES(2,30,29,'[[966,961,29.303491753329553,10,false],[988,984,22.453478142362616,10,false],[1014,1021,36.3663800260527,10,false],[1071,1079,44.43438802663624,10,false],[1008,1013,28.759081503486595,9,false]]',0.6853207979995749044,2400.0,8,6.4104786229742609648,22.495221091505236189,16,22,28,17.109140322776291043,22,6.1619348254482382287);
INSERT INTO results VALUES(2,31,30,'[[988,975,26.864384346167537,8,false],[973,959,28.49368059374961,8,false],[984,995,22.529091919825987,11,false],[1999,2002,5.094858286019616,9,false],[1021,1040,38.82899255767453,11,false]]',0.49364617538088617632,2400.0,8,6.6541651694424377438,23.175740687426429787,18,22,28,17.109140322776291043,22,6.1619348254482382287);
INSERT INTO results VALUES(2,32,31,'[[1045,1021,38.779696161756696,10,false],[1041,1019,35.1920702939842,10,false],[959,980,34.788800461708,9,false],[961,978,28.194461883069682,11,false],[995,1003,12.441963983927879,12,false]]',0.61666500483997166437,2400.0,8,7.0344408976367196473,24.134586698528703863,18,22,29,17.72580532761626415,22,6.5422105536425201322);
INSERT INTO results VALUES(2,33,32,'[[1055,1072,43.47845882703494,9,false],[997,1005,20.602148501939123,8,false],[1019,1010,22.479020488718604,11,false],[975,963,30.558804555361913,9,false],[980,972,21.768601969443562,10,false]]',0.61054016315022674454,2400.0,8,7.186119862155771365,24.627997898818112076,20,24,30,18.336345490766490229,24,6.6938895181615718499);
INSERT INTO results VALUES(1,8,8,'[[1000,1007,16.607188545938293,3,false],[971,1000,71.81627278479468,2,false],[1007,992,36.52493264532748,4,false],[1000,994,16.09722222222222,3,false],[971,942,71.34757206272398,2,false]]',0.59908802874360433943,2400.0,0,1.2984249801729421669,4.1248507651494490389,16,16,8,4.7772242228861676593,16,1.2984249801729421669);
INSERT INTO results VALUES(2,34,33,'[[1000,998,22.866994873708684,11,false],[1008,1006,25.69055087696615,10,false],[1018,1022,38.927599029139905,10,false],[1072,1076,45.10423609940995,10,false],[1005,1007,25.919077779919874,9,false]]',0.59135829324097477499,2400.0,9,7.194466199899675729,25.338122761616883593,20,25,31,18.927703784007466225,25,6.7022358559054762139);
INSERT INTO results VALUES(2,35,34,'[[1013,994,31.817246554083876,10,false],[1006,994,19.96326288137302,9,false],[1006,1018,20.449854557367104,11,false],[969,984,24.002601468959767,9,false],[1022,1046,39.531901766653704,11,false]]',0.60686818979587653366,2400.0,9,7.5627551996857995675,26.271733090040630287,20,25,32,19.534571973803341649,25,7.0705248556916000524);
INSERT INTO results VALUES(2,36,35,'[[1040,1013,43.7100975621561,12,false],[1079,1053,42.85680555197128,11,false],[994,1013,30.166779329014037,10,false],[998,1012,22.390463072119402,12,false],[1018,1036,28.4942500454339,12,false]]',0.61469318859595423187,2400.0,9,7.9406029157920610117,27.225448439363560738,20,25,33,20.149265162399295548,25,7.4483725717978614966);
INSERT INTO results VALUES(2,37,36,'[[1003,1009,20.087080534676385,13,false],[2002,2004,5.037341851767084,10,false],[1053,1043,32.015005639482354,12,false],[994,988,18.579652567674604,11,false],[1013,1008,17.103063027563806,11,false],[1013,1003,32.20921829853536,13,false]]',0.6945016159709502812,2400.0,9,8.0339321784364212675,27.590009229341983854,22,27,34,20.843766778370245162,27,7.5417018344422226405);
INSERT INTO results VALUES(1,10,9,'[[993,1008,36.18500715126008,4,false],[971,1000,71.81627278479468,2,false],[1007,992,36.18500715126008,4,false],[1000,993,16.607188545938293,3,false],[971,942,71.34757206272398,2,false]]',0.59838729716673944025,2400.0,0,1.4597177432499790494,4.6383678456933949973,18,18,9,5.3756115200529066555,18,1.4597177432499790494);
INSERT INTO results VALUES(2,38,37,'[[1010,1009,14.894070200131234,12,false],[963,959,35.85086280653484,10,false],[978,980,22.496533039543383,12,false],[1009,1011,22.67377365682561,14,false],[2004,2004,4.999498901998278,11,false]]',0.5984874263687552931,2400.0,10,8.0436319515891625542,28.302942325453617655,22,28,35,21.44225420473900101,28,7.5514016075949639272);
INSERT INTO results VALUES(2,39,38,'[[1007,991,26.843841687814677,10,false],[1021,1005,25.914515942192683,11,false],[959,979,33.088415779389166,11,false],[972,988,26.544147007508936,11,false],[980,993,21.639242667703584,13,false]]',0.61321184734151568118,2400.0,10,8.41966072130915677,29.25282047044026612,22,28,36,22.055466052080515027,28,7.9274303773149581431);
INSERT INTO results VALUES(2,40,39,'[[1046,1018,45.96241079119751,12,false],[1076,1051,41.59273494843236,11,false],[1005,1014,14.380462044303687,12,false],[1009,1016,12.159958723325047,13,false],[979,992,21.612480968388194,12,false]]',0.61251983535249121537,2400.0,10,8.7948412700093996363,30.200911089945581267,22,28,37,22.667985887433005133,28,8.3026109260152018975);
INSERT INTO results VALUES(2,41,40,'[[1036,1050,36.010509304550766,13,false],[984,998,35.61163486626323,10,false],[1051,1039,30.736072553414676,12,false],[991,985,13.885646704679141,11,false],[1014,1005,22.162997281469462,13,false]]',0.60228617688863061996,2400.0,10,8.9530175551032620262,30.707933659683281034,24,30,38,23.27027206432163453,30,8.4607872111090642874);
INSERT INTO results VALUES(1,11,10,'[[993,1008,36.18500715126008,4,false],[971,1000,71.81627278479468,2,false],[1007,992,36.394818060208415,4,false],[1000,993,16.800007963271405,3,false],[1000,993,16.60480619761079,3,false]]',0.59838729716673944025,2400.0,0,1.621010506327015932,5.1518849262373409558,20,20,10,5.9739988172196465399,20,1.621010506327015932);
INSERT INTO results VALUES(2,42,41,'[[1043,1040,26.413617962521304,13,false],[988,987,13.142470417972563,12,false],[1012,1014,19.14602263284842,13,false],[1050,1054,42.12374921428582,14,false],[998,1002,38.74066120986358,11,false]]',0.6003883111318160104,2400.0,11,8.9630953681151606105,31.421653974230284943,24,31,39,23.870660375453450542,31,8.4708650241209628717);
INSERT INTO results VALUES(2,43,42,'[[2004,2000,4.999498901998278,12,false],[1003,984,26.902060629404033,14,false],[987,995,12.009630848003418,13,false],[1008,1023,21.386074864966186,12,false],[1014,1028,19.329691124478064,14,false]]',0.70161495361540071602,2400.0,11,9.4553589112519009773,32.631024498790644372,24,31,40,24.57227532906885159,31,8.9631285672577032386);
INSERT INTO results VALUES(2,44,43,'[[993,973,29.288488885330132,14,false],[1011,995,23.220166265556454,15,false],[984,997,18.14637788534407,15,false],[1040,1057,24.082356660374405,14,false],[995,1009,20.22001086332967,14,false]]',0.69529666934756528817,2400.0,11,9.938796369657717733,33.819441160917214973,24,31,41,25.26757199841641821,31,9.4465660256635199942);
INSERT INTO results VALUES(2,45,44,'[[992,1004,23.017503230616875,13,false],[988,998,19.776733500293417,12,false],[995,988,14.03809850501571,16,false],[2000,1997,5.07558535363852,13,false],[997,984,26.325444544829168,16,false]]',0.49562511165022649084,2400.0,11,10.193190397655564893,34.52137662223868375,24,33,41,25.26757199841641821,31,9.4465660256635199942);
INSERT INTO results VALUES(1,12,11,'[[994,1009,37.0487149735896,4,false],[942,971,71.26797942459856,3,false],[1008,1003,12.77845676860129,5,false],[1000,993,16.228727626576692,3,false],[1000,971,72.0,1,false],[993,978,36.18500715126008,4,false]]',0.59477723799929016479,2400.0,0,1.7852159931704998374,5.6714532596924103202,22,22,11,6.5687760552189367047,22,1.7852159931704998374);
INSERT INTO results VALUES(2,46,45,'[[1039,1037,23.82428160631873,13,false],[985,983,14.88639138247889,12,false],[1016,1018,19.64996260411945,14,false],[1004,1007,30.811395640108387,14,false],[998,1001,26.987899031837046,13,false]]',0.60358295023815000668,2400.0,12,10.203919825235603369,35.236456754848425986,24,34,42,25.871154948654567107,32,9.4572954532435584695);
INSERT INTO results VALUES(2,47,46,'[[1002,980,36.695390765350794,12,false],[1018,997,34.19445374776025,13,false],[983,993,15.707081056568096,13,false],[1005,1014,15.063490105288183,14,false],[1018,1030,19.45495873743109,15,false]]',0.60954895441465817285,2400.0,12,10.575469753063606148,36.176909435827290905,24,34,43,26.480703903069226611,32,9.828845381071561249);
INSERT INTO results VALUES(2,48,47,'[[1028,1011,27.290103506833415,15,false],[1054,1028,43.26039841390057,15,false],[997,1012,25.180861177555677,14,false],[1037,1050,21.61699173431407,14,false],[993,1001,13.814960418337082,14,false]]',0.60547561367415247968,2400.0,12,10.942070471817697096,37.106983760652397564,24,34,44,27.086179516743378314,32,10.195446099825652197);
INSERT INTO results VALUES(2,49,48,'[[1009,1020,28.31778851808482,15,false],[1023,1030,17.274648185076853,13,false],[1028,1014,34.71569087446297,16,false],[980,970,24.818877921060224,13,false],[1012,1000,31.065190240760025,15,false]]',0.60617211735346332446,2400.0,12,11.097170872967550891,37.607575071856423677,26,36,45,27.692351634096841195,34,10.350546500975505992);
INSERT INTO results VALUES(1,13,12,'[[993,1008,37.11553879833602,4,false],[942,971,71.26797942459856,3,false],[1008,1003,12.77845676860129,5,false],[1000,993,16.228727626576692,3,false],[1000,993,16.607188545938293,3,false]]',0.59467681017014750732,2400.0,0,1.9495028813843464643,6.1911904568871687359,24,24,12,7.163452865389084323,24,1.9495028813843464643);
CREATE TABLE players (
    book bigint not null,
    player_id bigint not null,
    rating bigint not null,
    -- Rated rounds since the last reset, and ever: the first is shown, the second numbers entries.
    rounds bigint not null,
    entries bigint not null,
    last_played bigint,
    -- The totals after the latest entry, so that an update need not look it up.
    rating_total bigint not null,
    rating_squared_total bigint not null,
    expected_total bigint not null,
    score_halves_total bigint not null,
    primary key (book, player_id)
);
INSERT INTO players VALUES(2,76561197960265743,973,14,14,1763643180000000,13588,13195004,29876226284948,14);
INSERT INTO players VALUES(2,76561197960265744,1011,15,15,1763643480000000,15105,15215321,30941975302711,15);
INSERT INTO players VALUES(2,76561197960265729,1057,14,14,1763643180000000,14697,15433707,28967472770030,16);
INSERT INTO players VALUES(2,76561197960265745,1030,15,15,1763643420000000,15287,15582285,31465439122723,17);
INSERT INTO players VALUES(2,76561197960265741,984,16,16,1763643240000000,16255,16523995,34330947913539,16);
INSERT INTO players VALUES(2,76561197960265736,1997,13,13,1763643240000000,21041,37093467,30108547540267,13);
INSERT INTO players VALUES(2,76561197960265740,1014,14,14,1763643420000000,14237,14480953,29003524262402,15);
INSERT INTO players VALUES(2,76561197960265739,1030,13,13,1763643540000000,13057,13117995,25855005850645,13);
INSERT INTO players VALUES(2,76561197960265734,1020,15,15,1763643540000000,14951,14905839,29630231056786,17);
INSERT INTO players VALUES(2,76561197960265733,1007,14,14,1763643240000000,13596,13211870,28648410489262,15);
INSERT INTO players VALUES(2,76561197960265731,988,16,16,1763643240000000,15967,15937953,35943257497190,16);
INSERT INTO players VALUES(2,76561197960265738,1001,13,13,1763643240000000,12605,12228695,25431569630868,13);
INSERT INTO players VALUES(1,76561197960265738,1003,5,5,1763643300000000,4975,4950963,10533745957896,4);
INSERT INTO players VALUES(1,76561197960265735,992,4,4,1763642400000000,4028,4056954,8811914155538,4);
INSERT INTO players VALUES(1,76561197960265730,993,3,3,1763643000000000,3022,3044890,6189870748267,2);
INSERT INTO players VALUES(1,76561197960265733,978,4,4,1763643300000000,3942,3885374,7902010793303,2);
INSERT INTO players VALUES(1,76561197960265745,971,3,3,1763643300000000,2884,2773046,6126495816025,2);
INSERT INTO players VALUES(2,76561197960265732,1014,16,16,1763643540000000,16277,16567057,33144081909702,17);
INSERT INTO players VALUES(2,76561197960265730,1050,14,14,1763643480000000,14678,15393842,30061312536404,16);
INSERT INTO players VALUES(2,76561197960265742,1000,15,15,1763643540000000,15318,15650868,31757257021025,16);
INSERT INTO players VALUES(2,76561197960265737,970,13,13,1763643540000000,12898,12801130,27258830029241,13);
INSERT INTO players VALUES(2,76561197960265735,1001,14,14,1763643480000000,13898,13799600,29156031800176,15);
INSERT INTO players VALUES(1,76561197960265736,992,4,4,1763642700000000,4028,4056954,8840628641157,4);
INSERT INTO players VALUES(1,76561197960265731,971,1,3,1763643300000000,3000,3001682,6231380591945,2);
INSERT INTO players VALUES(1,76561197960265739,1003,5,5,1763643600000000,4975,4950963,10534187644160,4);
INSERT INTO players VALUES(1,76561197960265729,971,3,3,1763643600000000,2884,2773046,6129135979828,2);
INSERT INTO players VALUES(1,76561197960265734,993,3,3,1763641560000000,2964,2928890,6119822238666,2);
INSERT INTO players VALUES(1,76561197960265732,993,3,3,1763643600000000,3022,3044890,6206309387557,2);
INSERT INTO players VALUES(1,76561197960265740,1009,4,4,1763643300000000,3974,3948958,8777133964015,4);
INSERT INTO players VALUES(1,76561197960265737,992,4,4,1763643000000000,4028,4056954,8824807507827,4);
INSERT INTO players VALUES(1,76561197960265741,1008,4,4,1763643600000000,3972,3944954,8805406763370,4);
INSERT INTO players VALUES(1,76561197960265742,993,3,3,1763643000000000,2964,2928890,6199682250489,2);
INSERT INTO players VALUES(1,76561197960265743,993,3,3,1763643300000000,2964,2928890,6186844972996,2);
INSERT INTO players VALUES(1,76561197960265744,993,3,3,1763643600000000,2964,2928890,6187286659260,2);
CREATE TABLE entries (
    book bigint not null,
    player_id bigint not null,
    number bigint not null,
    position bigint not null,
    rating_total bigint not null,
    rating_squared_total bigint not null,
    expected_total bigint not null,
    score_halves_total bigint not null,
    primary key (book, player_id, number)
);
INSERT INTO entries VALUES(2,76561197960265736,1,1,993,986049,2650638147990,1);
INSERT INTO entries VALUES(2,76561197960265741,1,1,993,986049,2650638147990,1);
INSERT INTO entries VALUES(2,76561197960265734,1,1,1007,1014049,1747408363114,1);
INSERT INTO entries VALUES(2,76561197960265739,1,1,1007,1014049,1747408363114,1);
INSERT INTO entries VALUES(2,76561197960265744,1,1,1007,1014049,1747408363114,1);
INSERT INTO entries VALUES(2,76561197960265743,1,2,957,915849,2650638147990,0);
INSERT INTO entries VALUES(2,76561197960265731,1,2,957,915849,2650638147990,0);
INSERT INTO entries VALUES(2,76561197960265741,2,2,1998,1996074,4398046511104,3);
INSERT INTO entries VALUES(2,76561197960265729,1,2,1043,1087849,1747408363114,2);
INSERT INTO entries VALUES(2,76561197960265734,2,2,2026,2052410,3494816726228,3);
INSERT INTO entries VALUES(2,76561197960265733,1,3,957,915849,2653708876883,0);
INSERT INTO entries VALUES(2,76561197960265738,1,3,957,915849,2653708876883,0);
INSERT INTO entries VALUES(2,76561197960265731,2,3,1957,1915849,4394975782211,2);
INSERT INTO entries VALUES(2,76561197960265736,2,3,1998,1996074,4394975782211,3);
INSERT INTO entries VALUES(2,76561197960265741,3,3,3034,3069370,6142384145325,5);
INSERT INTO entries VALUES(2,76561197960265740,1,4,1028,1056784,2669471706348,2);
INSERT INTO entries VALUES(2,76561197960265745,1,4,1028,1056784,2669471706348,2);
INSERT INTO entries VALUES(2,76561197960265738,2,4,1886,1778890,4382283681639,0);
INSERT INTO entries VALUES(2,76561197960265743,2,4,1886,1778890,4379212952746,0);
INSERT INTO entries VALUES(2,76561197960265731,3,4,2948,2897930,6123550586967,2);
INSERT INTO entries VALUES(1,76561197960265730,1,1,1029,1058841,2650638147990,2);
INSERT INTO entries VALUES(1,76561197960265735,1,1,1029,1058841,2650638147990,2);
INSERT INTO entries VALUES(1,76561197960265745,1,1,971,942841,1747408363114,0);
INSERT INTO entries VALUES(1,76561197960265733,1,1,971,942841,1747408363114,0);
INSERT INTO entries VALUES(1,76561197960265738,1,1,971,942841,1747408363114,0);
INSERT INTO entries VALUES(2,76561197960265737,1,5,993,986049,2638336947734,1);
INSERT INTO entries VALUES(2,76561197960265742,1,5,993,986049,2638336947734,1);
INSERT INTO entries VALUES(2,76561197960265735,1,5,1007,1014049,1759709563370,1);
INSERT INTO entries VALUES(2,76561197960265740,2,5,2063,2128009,4429181269718,3);
INSERT INTO entries VALUES(2,76561197960265745,2,5,2063,2128009,4429181269718,3);
INSERT INTO entries VALUES(2,76561197960265744,2,6,2002,2004074,4401117239997,1);
INSERT INTO entries VALUES(2,76561197960265732,1,6,957,915849,2653708876883,0);
INSERT INTO entries VALUES(2,76561197960265742,2,6,1998,1996074,4382674581955,3);
INSERT INTO entries VALUES(2,76561197960265730,1,6,1043,1087849,1744337634221,2);
INSERT INTO entries VALUES(2,76561197960265735,2,6,2026,2052410,3504047197591,3);
INSERT INTO entries VALUES(2,76561197960265734,3,7,3003,3006939,6176513574522,3);
INSERT INTO entries VALUES(2,76561197960265739,2,7,2002,2004074,4429105211408,1);
INSERT INTO entries VALUES(2,76561197960265732,2,7,1958,1917850,4370058539693,2);
INSERT INTO entries VALUES(2,76561197960265737,2,7,1998,1996074,4354686610544,3);
INSERT INTO entries VALUES(2,76561197960265742,3,7,3035,3071443,6099024244765,5);
INSERT INTO entries VALUES(2,76561197960265741,4,8,4098,4201466,8821900205127,7);
INSERT INTO entries VALUES(2,76561197960265729,2,8,2114,2234890,4426924422916,4);
INSERT INTO entries VALUES(2,76561197960265739,3,8,2977,2954699,6147635662710,1);
INSERT INTO entries VALUES(2,76561197960265744,3,8,2977,2954699,6119647691299,1);
INSERT INTO entries VALUES(2,76561197960265732,3,8,2950,2901914,6088588990995,2);
INSERT INTO entries VALUES(1,76561197960265731,1,2,1029,1058841,2650638147990,2);
INSERT INTO entries VALUES(1,76561197960265736,1,2,1029,1058841,2650638147990,2);
INSERT INTO entries VALUES(1,76561197960265729,1,2,971,942841,1747408363114,0);
INSERT INTO entries VALUES(1,76561197960265734,1,2,971,942841,1747408363114,0);
INSERT INTO entries VALUES(1,76561197960265739,1,2,971,942841,1747408363114,0);
INSERT INTO entries VALUES(2,76561197960265738,3,9,2809,2630819,6935535739904,1);
INSERT INTO entries VALUES(2,76561197960265743,3,9,2809,2630819,6932465011011,1);
INSERT INTO entries VALUES(2,76561197960265736,3,9,3007,3014155,6239770235050,4);
INSERT INTO entries VALUES(2,76561197960265741,5,9,5168,5346366,10666694657966,8);
INSERT INTO entries VALUES(2,76561197960265729,3,9,3191,3394819,6271718875755,5);
INSERT INTO entries VALUES(2,76561197960265731,4,9,3942,3885966,7968345039806,3);
INSERT INTO entries VALUES(2,76561197960265745,3,10,3069,3140045,7078941728154,3);
INSERT INTO entries VALUES(2,76561197960265733,2,10,1871,1751245,5303469335319,0);
INSERT INTO entries VALUES(2,76561197960265743,4,10,3775,3563975,8680751063679,3);
INSERT INTO entries VALUES(2,76561197960265731,5,10,4952,4906066,9716631092474,5);
INSERT INTO entries VALUES(2,76561197960265736,4,10,4042,4085380,7988056287718,6);
INSERT INTO entries VALUES(2,76561197960265735,3,11,3002,3004986,6251545525087,3);
INSERT INTO entries VALUES(2,76561197960265740,3,11,3068,3138034,7176679597214,3);
INSERT INTO entries VALUES(2,76561197960265733,3,11,2829,2669009,6954017518927,2);
INSERT INTO entries VALUES(2,76561197960265738,4,11,3776,3565908,8586083923512,3);
INSERT INTO entries VALUES(2,76561197960265743,5,11,4761,4536171,10331299247287,5);
INSERT INTO entries VALUES(2,76561197960265742,4,12,4100,4205668,8769370197206,7);
INSERT INTO entries VALUES(2,76561197960265730,2,12,2114,2234890,4414683586662,4);
INSERT INTO entries VALUES(2,76561197960265740,4,12,4065,4132043,8904380155877,3);
INSERT INTO entries VALUES(2,76561197960265745,4,12,4067,4136049,8806642286817,3);
INSERT INTO entries VALUES(2,76561197960265733,4,12,3769,3552609,8681718077590,2);
INSERT INTO entries VALUES(1,76561197960265732,1,3,1029,1058841,2625125257338,2);
INSERT INTO entries VALUES(1,76561197960265737,1,3,1029,1058841,2625125257338,2);
INSERT INTO entries VALUES(1,76561197960265730,2,3,2029,2058841,4423559401756,2);
INSERT INTO entries VALUES(1,76561197960265735,2,3,2029,2058841,4423559401756,2);
INSERT INTO entries VALUES(1,76561197960265740,1,3,971,942841,1772921253766,0);
INSERT INTO entries VALUES(2,76561197960265739,4,13,3946,3893660,8741810642492,2);
INSERT INTO entries VALUES(2,76561197960265744,4,13,3946,3893660,8713822671081,2);
INSERT INTO entries VALUES(2,76561197960265737,3,13,3008,3016174,6158558141866,4);
INSERT INTO entries VALUES(2,76561197960265742,5,13,5171,5352709,10573241728528,8);
INSERT INTO entries VALUES(2,76561197960265730,3,13,3191,3394819,6218555117984,5);
INSERT INTO entries VALUES(2,76561197960265729,4,14,4225,4463975,8949489589643,5);
INSERT INTO entries VALUES(2,76561197960265734,4,14,3966,3934308,8854284288410,3);
INSERT INTO entries VALUES(2,76561197960265744,5,14,4951,4903685,10434098468297,4);
INSERT INTO entries VALUES(2,76561197960265732,4,14,3968,3938238,7808864788211,4);
INSERT INTO entries VALUES(2,76561197960265737,4,14,4045,4091543,7878833939082,6);
INSERT INTO entries VALUES(2,76561197960265736,5,15,5036,5073416,10728674841148,6);
INSERT INTO entries VALUES(2,76561197960265741,6,15,6194,6399042,13407313211396,8);
INSERT INTO entries VALUES(2,76561197960265734,5,15,4957,4916389,10511712246084,5);
INSERT INTO entries VALUES(2,76561197960265739,5,15,4952,4905696,10399238600166,4);
INSERT INTO entries VALUES(2,76561197960265744,6,15,5972,5946126,12091526425971,6);
INSERT INTO entries VALUES(2,76561197960265743,6,16,5758,5530180,12951130806269,7);
INSERT INTO entries VALUES(2,76561197960265731,6,16,5973,5948507,12336462651456,7);
INSERT INTO entries VALUES(2,76561197960265741,7,16,7198,7407058,15185528163518,8);
INSERT INTO entries VALUES(2,76561197960265729,5,16,5246,5506416,10727704541765,5);
INSERT INTO entries VALUES(2,76561197960265734,6,16,5938,5878750,12289927198206,5);
INSERT INTO entries VALUES(1,76561197960265733,2,4,1971,1942841,4346900984900,2);
INSERT INTO entries VALUES(1,76561197960265738,2,4,1971,1942841,4346900984900,2);
INSERT INTO entries VALUES(1,76561197960265731,2,4,2029,2058841,4449192037308,2);
INSERT INTO entries VALUES(1,76561197960265736,2,4,2029,2058841,4449192037308,2);
INSERT INTO entries VALUES(1,76561197960265741,1,4,971,942841,1798553889318,0);
INSERT INTO entries VALUES(2,76561197960265740,5,18,5058,5118092,11542277239769,4);
INSERT INTO entries VALUES(2,76561197960265745,5,18,5061,5124085,11444539370709,4);
INSERT INTO entries VALUES(2,76561197960265738,5,18,4746,4506808,10346233350724,4);
INSERT INTO entries VALUES(2,76561197960265743,7,18,6759,6532181,14711280233481,8);
INSERT INTO entries VALUES(2,76561197960265731,7,18,6998,6999132,14096612078668,8);
INSERT INTO entries VALUES(2,76561197960265730,4,19,4225,4463975,8918096460021,5);
INSERT INTO entries VALUES(2,76561197960265735,4,19,3964,3930430,8951086867124,3);
INSERT INTO entries VALUES(2,76561197960265745,6,19,6079,6160409,13143044539776,6);
INSERT INTO entries VALUES(2,76561197960265733,5,19,4743,4501285,10380223246657,4);
INSERT INTO entries VALUES(2,76561197960265738,6,19,5734,5482952,12044738519791,6);
INSERT INTO entries VALUES(2,76561197960265740,6,19,6076,6154416,13240782408836,6);
INSERT INTO entries VALUES(2,76561197960265737,5,20,5040,5081568,10600042923895,6);
INSERT INTO entries VALUES(2,76561197960265742,6,20,6198,6407438,13294450713341,8);
INSERT INTO entries VALUES(2,76561197960265735,5,20,4955,4912511,10627924393415,5);
INSERT INTO entries VALUES(2,76561197960265740,7,20,7103,7209145,14917619935127,8);
INSERT INTO entries VALUES(2,76561197960265745,7,20,7106,7215138,14819882066067,8);
INSERT INTO entries VALUES(2,76561197960265744,7,21,7001,7004967,14730303200935,8);
INSERT INTO entries VALUES(2,76561197960265732,5,21,4998,4999138,10447641563175,6);
INSERT INTO entries VALUES(2,76561197960265742,7,21,7203,7417463,15053720449481,8);
INSERT INTO entries VALUES(2,76561197960265730,5,21,5246,5506416,10677366196161,5);
INSERT INTO entries VALUES(2,76561197960265735,6,21,5936,5874872,12387194129555,5);
INSERT INTO entries VALUES(1,76561197960265734,2,5,1971,1942841,4346900984900,2);
INSERT INTO entries VALUES(1,76561197960265739,2,5,1971,1942841,4346900984900,2);
INSERT INTO entries VALUES(1,76561197960265732,2,5,2029,2058841,4423679146656,2);
INSERT INTO entries VALUES(1,76561197960265737,2,5,2029,2058841,4423679146656,2);
INSERT INTO entries VALUES(1,76561197960265742,1,5,971,942841,1798553889318,0);
INSERT INTO entries VALUES(2,76561197960265741,8,22,8199,8409059,17823425247410,9);
INSERT INTO entries VALUES(2,76561197960265729,6,22,6265,6544777,13365601625657,6);
INSERT INTO entries VALUES(2,76561197960265739,6,22,5961,5923777,12159388027378,5);
INSERT INTO entries VALUES(2,76561197960265744,8,22,8033,8069991,16490452628147,9);
INSERT INTO entries VALUES(2,76561197960265732,6,22,6033,6070363,12207790990387,7);
INSERT INTO entries VALUES(2,76561197960265731,8,23,7994,7991148,17172350888148,8);
INSERT INTO entries VALUES(2,76561197960265736,6,23,7034,9065420,13804413650628,6);
INSERT INTO entries VALUES(2,76561197960265729,7,23,7300,7616002,14687909327281,8);
INSERT INTO entries VALUES(2,76561197960265734,7,23,6937,6876751,13612234899830,7);
INSERT INTO entries VALUES(2,76561197960265739,7,23,6983,6968261,13481695729002,7);
INSERT INTO entries VALUES(2,76561197960265738,7,24,6707,6429681,14237347975702,6);
INSERT INTO entries VALUES(2,76561197960265743,8,24,7737,7488665,16903889689392,8);
INSERT INTO entries VALUES(2,76561197960265736,7,24,9035,13069421,16009850705821,8);
INSERT INTO entries VALUES(2,76561197960265741,9,24,9213,9437255,20028862302603,11);
INSERT INTO entries VALUES(2,76561197960265729,8,24,8354,8726918,16893346382474,10);
INSERT INTO entries VALUES(2,76561197960265745,8,25,8144,8292582,17470520214057,10);
INSERT INTO entries VALUES(2,76561197960265733,6,25,5729,5473481,13030861394647,6);
INSERT INTO entries VALUES(2,76561197960265743,9,25,8703,8421821,18651298052506,8);
INSERT INTO entries VALUES(2,76561197960265731,9,25,8982,8967292,18919759251262,8);
INSERT INTO entries VALUES(2,76561197960265736,8,25,11034,17065422,17757259068935,8);
INSERT INTO entries VALUES(1,76561197960265735,3,6,3036,3072890,7048684659094,4);
INSERT INTO entries VALUES(1,76561197960265740,2,6,1971,1942841,4398046511104,2);
INSERT INTO entries VALUES(1,76561197960265733,3,6,2964,2928890,6119822238666,2);
INSERT INTO entries VALUES(1,76561197960265738,3,6,2964,2928890,6119822238666,2);
INSERT INTO entries VALUES(1,76561197960265743,1,6,971,942841,1772921253766,0);
INSERT INTO entries VALUES(2,76561197960265742,8,26,8205,8421467,17678845706819,9);
INSERT INTO entries VALUES(2,76561197960265730,6,26,6265,6544777,13302491453499,6);
INSERT INTO entries VALUES(2,76561197960265740,8,26,8133,8270045,16690541188893,9);
INSERT INTO entries VALUES(2,76561197960265745,9,26,9185,9376263,19243441467823,11);
INSERT INTO entries VALUES(2,76561197960265733,7,26,6717,6449625,14803782648413,7);
INSERT INTO entries VALUES(2,76561197960265732,7,27,7040,7084412,14872451564003,7);
INSERT INTO entries VALUES(2,76561197960265737,6,27,6014,6030244,13264703497511,6);
INSERT INTO entries VALUES(2,76561197960265730,7,27,7298,7611866,15035877390987,8);
INSERT INTO entries VALUES(2,76561197960265735,7,27,6933,6868881,14120580067043,7);
INSERT INTO entries VALUES(2,76561197960265740,9,27,9178,9362070,18423927126381,11);
INSERT INTO entries VALUES(2,76561197960265739,8,28,7989,7980297,16169493468114,7);
INSERT INTO entries VALUES(2,76561197960265744,9,28,9042,9088072,19178250367259,9);
INSERT INTO entries VALUES(2,76561197960265737,7,28,6995,6992605,14974952269503,8);
INSERT INTO entries VALUES(2,76561197960265742,9,28,9223,9457791,19389094478811,11);
INSERT INTO entries VALUES(2,76561197960265730,8,28,8353,8724891,16746126162979,10);
INSERT INTO entries VALUES(2,76561197960265732,8,28,8063,8130941,16582700335995,9);
INSERT INTO entries VALUES(2,76561197960265729,9,29,9425,9873959,19555818530645,12);
INSERT INTO entries VALUES(2,76561197960265734,8,29,7945,7892815,16274707048001,9);
INSERT INTO entries VALUES(2,76561197960265744,10,29,10042,10088072,20913824730192,9);
INSERT INTO entries VALUES(2,76561197960265732,9,29,9071,9147005,18318274698928,9);
INSERT INTO entries VALUES(2,76561197960265737,8,29,7964,7931566,16710526632436,8);
INSERT INTO entries VALUES(1,76561197960265736,3,7,3036,3072890,7074317294646,4);
INSERT INTO entries VALUES(1,76561197960265741,2,7,1971,1942841,4423679146656,2);
INSERT INTO entries VALUES(1,76561197960265734,3,7,2964,2928890,6119822238666,2);
INSERT INTO entries VALUES(1,76561197960265739,3,7,2964,2928890,6119822238666,2);
INSERT INTO entries VALUES(1,76561197960265744,1,7,971,942841,1772921253766,0);
INSERT INTO entries VALUES(2,76561197960265743,10,30,9664,9345342,21665370797135,9);
INSERT INTO entries VALUES(2,76561197960265731,10,30,9966,9935548,21933831995891,9);
INSERT INTO entries VALUES(2,76561197960265741,10,30,10234,10479696,21412836069078,12);
INSERT INTO entries VALUES(2,76561197960265729,10,30,10504,11038200,20939792297120,13);
INSERT INTO entries VALUES(2,76561197960265734,9,30,8958,8918984,17658680814476,10);
INSERT INTO entries VALUES(2,76561197960265733,8,31,7692,7400250,16974861487767,7);
INSERT INTO entries VALUES(2,76561197960265738,8,31,7666,7349362,16408426815056,6);
INSERT INTO entries VALUES(2,76561197960265731,11,31,10961,10925573,24160799667641,11);
INSERT INTO entries VALUES(2,76561197960265736,9,31,13036,21073426,19984226740685,10);
INSERT INTO entries VALUES(2,76561197960265741,11,31,11274,11561296,23639803740828,14);
INSERT INTO entries VALUES(2,76561197960265740,10,32,10199,10404511,21136048499437,11);
INSERT INTO entries VALUES(2,76561197960265745,10,32,10204,10414624,21955562840879,11);
INSERT INTO entries VALUES(2,76561197960265738,9,32,8646,8309762,18094351953104,8);
INSERT INTO entries VALUES(2,76561197960265743,11,32,10642,10301826,23351295935183,11);
INSERT INTO entries VALUES(2,76561197960265731,12,32,11964,11931582,25846724805689,13);
INSERT INTO entries VALUES(2,76561197960265730,9,33,9425,9874075,19431310197411,12);
INSERT INTO entries VALUES(2,76561197960265735,8,33,7938,7878906,16805764101475,9);
INSERT INTO entries VALUES(2,76561197960265745,11,33,11214,11434724,23668425317551,11);
INSERT INTO entries VALUES(2,76561197960265733,9,33,8655,8327619,18687723964439,7);
INSERT INTO entries VALUES(2,76561197960265738,10,33,9618,9254546,19807214429776,8);
INSERT INTO entries VALUES(1,76561197960265737,3,8,3036,3072890,7058496161316,4);
INSERT INTO entries VALUES(1,76561197960265742,2,8,1971,1942841,4433370903978,2);
INSERT INTO entries VALUES(1,76561197960265735,4,8,4028,4056954,8811914155538,4);
INSERT INTO entries VALUES(1,76561197960265740,3,8,2965,2930877,6161276007548,2);
INSERT INTO entries VALUES(1,76561197960265745,2,8,1913,1830205,3510637859558,0);
INSERT INTO entries VALUES(2,76561197960265744,11,34,11040,11084076,23514646008593,10);
INSERT INTO entries VALUES(2,76561197960265732,10,34,10077,10159041,20919095977329,10);
INSERT INTO entries VALUES(2,76561197960265742,10,34,10245,10502275,21186319711514,12);
INSERT INTO entries VALUES(2,76561197960265730,10,34,10501,11031851,21228535430114,13);
INSERT INTO entries VALUES(2,76561197960265735,9,34,8945,8892955,18602989334178,10);
INSERT INTO entries VALUES(2,76561197960265734,10,35,9952,9907020,20327715339308,10);
INSERT INTO entries VALUES(2,76561197960265739,9,35,8983,8968333,18838527992946,7);
INSERT INTO entries VALUES(2,76561197960265732,11,35,11095,11195365,22648107963601,12);
INSERT INTO entries VALUES(2,76561197960265737,9,35,8948,8899822,18439538618708,10);
INSERT INTO entries VALUES(2,76561197960265742,11,35,11291,11596391,22915331697786,14);
INSERT INTO entries VALUES(2,76561197960265741,12,36,12287,12587465,26343252974332,14);
INSERT INTO entries VALUES(2,76561197960265729,11,36,11557,12147009,23643241530624,13);
INSERT INTO entries VALUES(2,76561197960265739,10,36,9996,9994502,20533125270546,9);
INSERT INTO entries VALUES(2,76561197960265744,12,36,12052,12108220,25209243286193,12);
INSERT INTO entries VALUES(2,76561197960265732,12,36,12131,12268661,24342705241201,14);
INSERT INTO entries VALUES(2,76561197960265731,13,37,12973,12949663,28901175214766,15);
INSERT INTO entries VALUES(2,76561197960265736,10,37,15040,25089442,23038677149762,12);
INSERT INTO entries VALUES(2,76561197960265729,12,37,12600,13234858,24986837632651,13);
INSERT INTO entries VALUES(2,76561197960265734,11,37,10940,10883164,21671311441335,10);
INSERT INTO entries VALUES(2,76561197960265739,11,37,11004,11010566,21876721372573,9);
INSERT INTO entries VALUES(2,76561197960265741,13,37,13290,13593474,27686849076359,14);
INSERT INTO entries VALUES(1,76561197960265738,4,10,3972,3944954,8751557403259,4);
INSERT INTO entries VALUES(1,76561197960265743,2,10,1971,1942841,4404656418359,2);
INSERT INTO entries VALUES(1,76561197960265736,4,10,4028,4056954,8840628641157,4);
INSERT INTO entries VALUES(1,76561197960265741,3,10,2964,2928890,6189990493167,2);
INSERT INTO entries VALUES(1,76561197960265729,2,10,1913,1830205,3513719709625,0);
INSERT INTO entries VALUES(2,76561197960265745,12,38,12223,12452805,26300600855032,12);
INSERT INTO entries VALUES(2,76561197960265733,10,38,9614,9247300,21319899501920,8);
INSERT INTO entries VALUES(2,76561197960265743,12,38,11622,11262226,25117166908806,12);
INSERT INTO entries VALUES(2,76561197960265731,14,38,13984,13971784,30667046188389,16);
INSERT INTO entries VALUES(2,76561197960265736,11,38,17044,29105458,24804548123385,13);
INSERT INTO entries VALUES(2,76561197960265735,10,39,9936,9875036,21299923559946,10);
INSERT INTO entries VALUES(2,76561197960265740,11,39,11204,11414536,23832982725205,11);
INSERT INTO entries VALUES(2,76561197960265733,11,39,10593,10205741,23021011787256,10);
INSERT INTO entries VALUES(2,76561197960265738,11,39,10606,10230690,21508326715112,10);
INSERT INTO entries VALUES(2,76561197960265743,13,39,12615,12248275,26818279194142,14);
INSERT INTO entries VALUES(2,76561197960265742,12,40,12309,12632715,25609222422640,14);
INSERT INTO entries VALUES(2,76561197960265730,11,40,11552,12136452,23922426154968,13);
INSERT INTO entries VALUES(2,76561197960265740,12,40,12218,12442732,25537138511455,13);
INSERT INTO entries VALUES(2,76561197960265745,13,40,13239,13485061,28004756641282,14);
INSERT INTO entries VALUES(2,76561197960265733,12,40,11585,11189805,24725167573506,12);
INSERT INTO entries VALUES(2,76561197960265732,13,41,13181,13371161,26991587860152,16);
INSERT INTO entries VALUES(2,76561197960265737,10,41,9946,9895826,21088421237659,12);
INSERT INTO entries VALUES(2,76561197960265730,12,41,12591,13215973,25671590047121,13);
INSERT INTO entries VALUES(2,76561197960265735,11,41,10921,10845261,23049087452099,10);
INSERT INTO entries VALUES(2,76561197960265740,13,41,13223,13452757,27286302403608,13);
INSERT INTO entries VALUES(1,76561197960265739,4,11,3972,3944954,8751557403259,4);
INSERT INTO entries VALUES(1,76561197960265744,2,11,1971,1942841,4404656418359,2);
INSERT INTO entries VALUES(1,76561197960265737,4,11,4028,4056954,8824807507827,4);
INSERT INTO entries VALUES(1,76561197960265742,3,11,2964,2928890,6199682250489,2);
INSERT INTO entries VALUES(1,76561197960265730,3,11,3022,3044890,6189870748267,2);
INSERT INTO entries VALUES(2,76561197960265729,13,42,13640,14316458,27627373349732,14);
INSERT INTO entries VALUES(2,76561197960265734,12,42,11927,11857333,24311847158416,11);
INSERT INTO entries VALUES(2,76561197960265744,13,42,13066,13136416,26966754080216,13);
INSERT INTO entries VALUES(2,76561197960265732,14,42,14235,14482077,28749098654175,17);
INSERT INTO entries VALUES(2,76561197960265737,11,42,10948,10899830,22845932031682,13);
INSERT INTO entries VALUES(2,76561197960265736,12,43,19044,33105458,27890283322272,13);
INSERT INTO entries VALUES(2,76561197960265741,14,43,14274,14561730,30772584275246,14);
INSERT INTO entries VALUES(2,76561197960265734,13,43,12922,12847358,25624158470633,13);
INSERT INTO entries VALUES(2,76561197960265739,12,43,12027,12057095,23189032684790,11);
INSERT INTO entries VALUES(2,76561197960265744,14,43,14094,14193200,28279065392433,15);
INSERT INTO entries VALUES(2,76561197960265743,14,44,13588,13195004,29876226284948,14);
INSERT INTO entries VALUES(2,76561197960265731,15,44,14979,14961809,33724993279195,16);
INSERT INTO entries VALUES(2,76561197960265741,15,44,15271,15555739,32112683695544,16);
INSERT INTO entries VALUES(2,76561197960265729,14,44,14697,15433707,28967472770030,16);
INSERT INTO entries VALUES(2,76561197960265734,14,44,13931,13865439,26964257890931,15);
INSERT INTO entries VALUES(2,76561197960265733,13,45,12589,12197821,26904949866615,14);
INSERT INTO entries VALUES(2,76561197960265738,12,45,11604,11226694,23688109008221,12);
INSERT INTO entries VALUES(2,76561197960265731,16,45,15967,15937953,35943257497190,16);
INSERT INTO entries VALUES(2,76561197960265736,13,45,21041,37093467,30108547540267,13);
INSERT INTO entries VALUES(2,76561197960265741,16,45,16255,16523995,34330947913539,16);
INSERT INTO entries VALUES(1,76561197960265740,4,12,3974,3948958,8777133964015,4);
INSERT INTO entries VALUES(1,76561197960265745,3,12,2884,2773046,6126495816025,2);
INSERT INTO entries VALUES(1,76561197960265738,5,12,4975,4950963,10533745957896,4);
INSERT INTO entries VALUES(1,76561197960265743,3,12,2964,2928890,6186844972996,2);
INSERT INTO entries VALUES(1,76561197960265731,3,12,3000,3001682,6231380591945,2);
INSERT INTO entries VALUES(1,76561197960265733,4,12,3942,3885374,7902010793303,2);
INSERT INTO entries VALUES(2,76561197960265730,13,46,13628,14291342,28326175935578,14);
INSERT INTO entries VALUES(2,76561197960265735,12,46,11904,11811550,25703673340556,11);
INSERT INTO entries VALUES(2,76561197960265745,14,46,14257,14521385,29748217263929,15);
INSERT INTO entries VALUES(2,76561197960265733,14,46,13596,13211870,28648410489262,15);
INSERT INTO entries VALUES(2,76561197960265738,13,46,12605,12228695,25431569630868,13);
INSERT INTO entries VALUES(2,76561197960265737,12,47,11928,11860230,25526756683992,13);
INSERT INTO entries VALUES(2,76561197960265742,13,47,13306,13626724,28290047074950,14);
INSERT INTO entries VALUES(2,76561197960265735,13,47,12897,12797599,27420895199350,13);
INSERT INTO entries VALUES(2,76561197960265740,14,47,14237,14480953,29003524262402,15);
INSERT INTO entries VALUES(2,76561197960265745,15,47,15287,15582285,31465439122723,17);
INSERT INTO entries VALUES(2,76561197960265744,15,48,15105,15215321,30941975302711,15);
INSERT INTO entries VALUES(2,76561197960265732,15,48,15263,15538861,31412008564453,17);
INSERT INTO entries VALUES(2,76561197960265742,14,48,14318,14650868,30025183675776,16);
INSERT INTO entries VALUES(2,76561197960265730,14,48,14678,15393842,30061312536404,16);
INSERT INTO entries VALUES(2,76561197960265735,14,48,13898,13799600,29156031800176,15);
INSERT INTO entries VALUES(2,76561197960265734,15,49,14951,14905839,29630231056786,17);
INSERT INTO entries VALUES(2,76561197960265739,13,49,13057,13117995,25855005850645,13);
INSERT INTO entries VALUES(2,76561197960265732,16,49,16277,16567057,33144081909702,17);
INSERT INTO entries VALUES(2,76561197960265737,13,49,12898,12801130,27258830029241,13);
INSERT INTO entries VALUES(2,76561197960265742,15,49,15318,15650868,31757257021025,16);
INSERT INTO entries VALUES(1,76561197960265741,4,13,3972,3944954,8805406763370,4);
INSERT INTO entries VALUES(1,76561197960265729,3,13,2884,2773046,6129135979828,2);
INSERT INTO entries VALUES(1,76561197960265739,5,13,4975,4950963,10534187644160,4);
INSERT INTO entries VALUES(1,76561197960265744,3,13,2964,2928890,6187286659260,2);
INSERT INTO entries VALUES(1,76561197960265732,3,13,3022,3044890,6206309387557,2);
CREATE TABLE round_groups (
    book bigint not null,
    -- map, server, team_size, or lead: how far the teams' sums lay apart, in fine bins.
    kind text not null,
    name text not null,
    rounds bigint not null,
    draws bigint not null,
    right_halves bigint not null,
    -- Of the side that the rounds are seen from: team a, the smaller team, or the favourite.
    score_halves bigint not null,
    predicted bigint not null,
    brier bigint not null,
    log_loss bigint not null,
    -- What its sum was ahead by, in points.
    lead bigint not null,
    primary key (book, kind, name)
);
INSERT INTO round_groups VALUES(2,'map','Übungsgelände 竞技场',24,6,14,18,62681603027,23969459560,81103498880,25450);
INSERT INTO round_groups VALUES(2,'server','public-1',48,12,26,36,125327852614,47661985981,161523305017,50885);
INSERT INTO round_groups VALUES(2,'team_size','2 v 3',48,12,26,60,80830577594,47661985981,161523305017,-50885);
INSERT INTO round_groups VALUES(2,'lead','62',7,1,4,5,18123022729,7649086033,23292459735,7008);
INSERT INTO round_groups VALUES(2,'lead','65',3,0,4,4,7821144710,2908043888,8297200958,3130);
INSERT INTO round_groups VALUES(1,'map','Übungsgelände 竞技场',6,0,12,12,15378881255,4190155654,13303031379,5646);
INSERT INTO round_groups VALUES(1,'server','arena-1',12,0,24,24,30766795782,8373051119,26590960537,11313);
INSERT INTO round_groups VALUES(1,'team_size','2 v 3',12,0,24,0,20772811770,8373051119,26590960537,-11313);
INSERT INTO round_groups VALUES(1,'lead','62',2,0,4,4,5177027632,1355997976,4349599676,2000);
INSERT INTO round_groups VALUES(2,'lead','60',4,3,2,5,10305574112,815624679,11387233396,3887);
INSERT INTO round_groups VALUES(2,'lead','66',4,0,2,2,10468562768,5440563935,14240451586,4268);
INSERT INTO round_groups VALUES(2,'lead','48',1,1,0,1,2493410213,27861723,3033503635,780);
INSERT INTO round_groups VALUES(2,'lead','76',1,0,0,0,2683103835,1676158559,4209295593,1223);
INSERT INTO round_groups VALUES(1,'lead','58',3,0,6,6,7690796652,2093824962,6649019832,2826);
INSERT INTO round_groups VALUES(2,'lead','54',1,1,0,1,2533374004,34671129,3047530960,872);
INSERT INTO round_groups VALUES(2,'lead','58',2,1,2,3,5122028141,742430857,5284236983,1872);
INSERT INTO round_groups VALUES(2,'lead','75',1,0,0,0,2676385306,1667774819,4191430624,1207);
INSERT INTO round_groups VALUES(1,'lead','55',2,0,4,4,5077134026,1436538040,4516967172,1768);
INSERT INTO round_groups VALUES(2,'lead','69',2,0,0,0,5269995672,3233186535,8165978631,2218);
INSERT INTO round_groups VALUES(2,'lead','72',1,0,0,0,2657430649,1644235490,4141425965,1162);
INSERT INTO round_groups VALUES(2,'lead','0',1,0,2,2,2153747124,1067487482,2964535752,14);
INSERT INTO round_groups VALUES(2,'lead','126',1,0,0,0,3003651181,2100579538,5161614381,2026);
INSERT INTO round_groups VALUES(2,'lead','64',4,0,4,4,10406265427,4486145146,12299303781,4122);
INSERT INTO round_groups VALUES(2,'lead','67',2,0,2,2,5247052514,2255563414,6175874467,2164);
INSERT INTO round_groups VALUES(2,'lead','116',1,1,0,1,2943430415,147505490,3294389805,1868);
INSERT INTO round_groups VALUES(2,'lead','3',1,0,2,2,2174773117,1046625748,2922809409,61);
INSERT INTO round_groups VALUES(2,'lead','71',1,0,0,0,2648556028,1633271816,4118212260,1141);
INSERT INTO round_groups VALUES(1,'lead','60',1,0,2,2,2573063491,690331849,2200512459,964);
INSERT INTO round_groups VALUES(2,'lead','123',2,0,2,2,5969138184,2477194205,6669987368,3951);
INSERT INTO round_groups VALUES(2,'lead','55',1,1,0,1,2539864530,35847248,3049963062,887);
INSERT INTO round_groups VALUES(2,'lead','70',1,0,0,0,2640087142,1622843584,4096176235,1121);
INSERT INTO round_groups VALUES(1,'lead','59',2,0,4,4,5140107744,1385494284,4411078134,1914);
INSERT INTO round_groups VALUES(2,'lead','59',1,1,0,1,2570483923,41660208,3062024332,958);
INSERT INTO round_groups VALUES(2,'lead','68',1,0,0,0,2630752661,1611388187,4072018204,1099);
INSERT INTO round_groups VALUES(2,'lead','128',1,0,0,0,3013413280,2114255819,5194206852,2052);
INSERT INTO round_groups VALUES(2,'lead','2',1,0,0,0,2166273650,1092614031,3014789850,42);
INSERT INTO round_groups VALUES(2,'lead','61',1,1,0,1,2578648161,43283877,3065405409,977);
INSERT INTO round_groups VALUES(1,'lead','57',2,0,4,4,5108666237,1410864008,4463783264,1841);
INSERT INTO round_groups VALUES(2,'lead','63',1,1,0,1,2592369032,46082541,3071245784,1009);
CREATE TABLE audit (
    made_at bigint not null,
    -- Tells apart what was done at the same moment: the change's own name, where it made one.
    id text not null,
    -- The fingerprint of the secret; null for the command line.
    secret text,
    -- set, reset, void, unvoid or rebuild.
    action text not null,
    pool_id bigint not null references pools (id),
    player_id bigint,
    server text,
    round_id text,
    reason text,
    -- JSON: what was before, and what after.
    before text not null,
    after text not null,
    primary key (made_at, id)
);
INSERT INTO audit VALUES(1795176000000001,'c1',NULL,'set',2,76561197960265736,NULL,NULL,'für "alle"','{"rating":994,"rounds":5}','{"rating":2000,"rounds":5}');
INSERT INTO audit VALUES(1795176001000000,'c2',NULL,'reset',1,76561197960265731,NULL,NULL,NULL,'{"rating":1000,"rounds":2}','{"rating":1000,"rounds":0}');
CREATE TABLE split_tables (
    server text not null primary key,
    -- A table never replaces a later one, however long it took to write.
    computed_at bigint not null,
    -- JSON: the table as it was answered, and for every player the rating that it was computed
    -- with, which tells whether it still holds.
    content text not null
);
CREATE INDEX rounds_by_time on rounds (pool_id, ended_at, position, server, voided_at);
CREATE INDEX rounds_by_server on rounds (pool_id, server, ended_at, position);
CREATE INDEX rounds_voided on rounds (pool_id, position) where voided_at is not null;
CREATE INDEX changes_of_rounds on changes (pool_id, round_position)
    where round_position is not null;
CREATE INDEX changes_of_players on changes (pool_id, player_id, position)
    where player_id is not null;
CREATE INDEX books_of_pools on books (pool_id);
CREATE INDEX results_by_number on results (book, number);
CREATE INDEX players_by_rating on players (book, rating desc, player_id, rounds, last_played);
CREATE INDEX audit_of_pools on audit (pool_id, made_at, id);
COMMIT;
