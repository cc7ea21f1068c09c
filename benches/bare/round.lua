-- What `wrk` posts to a service: rounds of 24 out of a thousand players, as round.sql writes them, one after another, from
-- one thread. The secret comes from RBS_SECRET.
local started = os.time()
local posted = 0

local function team(base, step, first, last)
    local ids = {}
    for number = first, last do
        ids[#ids + 1] = string.format('"7656119796%07d"', 265729 + (base + step * number) % 1000)
    end
    return table.concat(ids, ",")
end

function init()
    local secret = assert(os.getenv("RBS_SECRET"), "set RBS_SECRET to the service's secret")
    wrk.method = "POST"
    wrk.headers["Authorization"] = "Bearer " .. secret
    wrk.headers["Content-Type"] = "application/json"
    math.randomseed(started)
end

function request()
    posted = posted + 1
    -- The step ends in 1, so that it meets 24 different players.
    local base, step = math.random(0, 999), 10 * math.random(0, 99) + 1
    wrk.body = string.format(
        '{"round_id":"wrk:%d:%d","server":"load-1","map":"arena_well","winner":"%s","team_a":[%s],"team_b":[%s]}',
        started, posted, math.random(2) == 1 and "a" or "b",
        team(base, step, 0, 11), team(base, step, 12, 23)
    )
    return wrk.format()
end
