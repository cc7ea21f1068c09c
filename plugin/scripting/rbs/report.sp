// SPDX-License-Identifier: GPL-3.0-or-later
//
// Builds the report of a round in the format of the service (docs/api.md, "Rounds").

// Maximum number of entries per team that the service accepts.
#define TEAM_ENTRIES 64

static int s_counter;

/** Returns a new handle. */
JSONObject Report_Make(int winner, float length)
{
	int seconds = Report_Seconds(length, LONGEST_ROUND);
	JSONObject round = new JSONObject();
	char id[ROUND_ID_LENGTH];
	Report_NewId(id, sizeof(id));
	round.SetString("round_id", id);
	round.SetString("server", g_server);
	if (g_map[0] != '\0')
	{
		round.SetString("map", g_map);
	}
	round.SetInt("ended_at", GetTime());
	round.SetString("winner", winner == TEAM_A ? "a" : winner == TEAM_B ? "b" : "draw");
	round.SetInt("round_seconds", seconds);
	JSONArray teamA = Report_Team(TEAM_A, seconds);
	JSONArray teamB = Report_Team(TEAM_B, seconds);
	round.Set("team_a", teamA);
	round.Set("team_b", teamB);
	delete teamA;
	delete teamB;
	return round;
}

/** Writes a unique id, even after a crash with the clock set back. */
static void Report_NewId(char[] id, int length)
{
	// Random bits, mixed with the engine time in case the generator repeats after a restart.
	int noise = GetURandomInt() << 1 ^ GetURandomInt() ^ view_as<int>(GetEngineTime()) * 0x9E3779B1;
	FormatEx(id, length, "%d-%d-%08x", GetTime(), ++s_counter, noise);
}

/** Lists players from the start first, so that a list that is too long loses only later players. */
static JSONArray Report_Team(int team, int whole)
{
	JSONArray entries = new JSONArray();
	Seat seat;
	for (int i = 0; i < Seats_Length(); i++)
	{
		Seats_Get(i, seat);
		if (seat.start == team)
		{
			Report_FromStart(entries, seat, whole);
		}
	}
	for (int i = 0; i < Seats_Length(); i++)
	{
		Seats_Get(i, seat);
		if (seat.team == team && seat.start != team && (seat.took || seat.present && seat.start != 0))
		{
			Report_Later(entries, seat, whole);
		}
	}
	return entries;
}

static void Report_FromStart(JSONArray entries, Seat seat, int whole)
{
	if (entries.Length >= TEAM_ENTRIES)
	{
		return;
	}
	if (seat.team == seat.start && seat.present)
	{
		Json_PushAccount(entries, seat.account);
		return;
	}
	JSONObject entry = Report_Entry(seat.account);
	if (seat.team != seat.start || !seat.took)
	{
		entry.SetBool("participated", false);
	}
	else
	{
		entry.SetInt("seconds", Report_Seconds(seat.until - Round_Doors(), whole));
	}
	entries.Push(entry);
	delete entry;
}

static void Report_Later(JSONArray entries, Seat seat, int whole)
{
	if (entries.Length >= TEAM_ENTRIES)
	{
		return;
	}
	JSONObject entry = Report_Entry(seat.account);
	entry.SetBool("at_start", false);
	float until = seat.present ? GetGameTime() : seat.until;
	entry.SetInt("seconds", Report_Seconds(until - seat.since, whole));
	entries.Push(entry);
	delete entry;
}

static JSONObject Report_Entry(int account)
{
	char id[ID_LENGTH];
	Id_Write(account, id, sizeof(id));
	JSONObject entry = new JSONObject();
	entry.SetString("id", id);
	return entry;
}

/** Rounds to whole seconds, at least one: a player with less time still counts. */
static int Report_Seconds(float seconds, int most)
{
	return Number_Within(RoundToNearest(seconds), 1, most);
}

/** Returns the number of entries of a round. */
int Report_Players(JSONObject round)
{
	int players = 0;
	JSONArray team = Json_Array(round, "team_a");
	if (team != null)
	{
		players += team.Length;
		delete team;
	}
	team = Json_Array(round, "team_b");
	if (team != null)
	{
		players += team.Length;
		delete team;
	}
	return players;
}
