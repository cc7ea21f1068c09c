// SPDX-License-Identifier: GPL-3.0-or-later
//
// Builds the report of a round in the format of the service (docs/api.md, "Rounds").

// Maximum number of entries per team that the service accepts.
#define TEAM_ENTRIES 64

static int s_counter;
static int s_seconds; // length of the round
static float s_end;   // game time of its end

/** Returns a new handle. */
JSONObject Report_Make(int winner, float length)
{
	s_seconds = Report_Seconds(length, LONGEST_ROUND);
	s_end = GetGameTime();
	JSONObject round = new JSONObject();
	char id[ROUND_ID_LENGTH];
	Report_NewId(id, sizeof(id));
	round.SetString("round_id", id);
	round.SetString("server", g_server);
	if (g_map[0] != '\0')
	{
		round.SetString("map", g_map);
	}
	char mode[16];
	Part_Mode(mode, sizeof(mode));
	round.SetString("mode", mode);
	round.SetInt("ended_at", GetTime());
	round.SetString("winner", winner == TEAM_A ? "a" : winner == TEAM_B ? "b" : "draw");
	round.SetInt("round_seconds", s_seconds);
	Seats_TakeScores();
	Report_Teams(round);
	return round;
}

/** Writes the teams into the report of the round that Report_Make reported last. */
void Report_Teams(JSONObject round)
{
	JSONArray teamA = Report_Team(TEAM_A);
	JSONArray teamB = Report_Team(TEAM_B);
	round.Set("team_a", teamA);
	round.Set("team_b", teamB);
	delete teamA;
	delete teamB;
}

/** Writes a unique id, even after a crash with the clock set back. */
static void Report_NewId(char[] id, int length)
{
	// Random bits, mixed with the engine time in case the generator repeats after a restart.
	int noise = GetURandomInt() << 1 ^ GetURandomInt() ^ view_as<int>(GetEngineTime()) * 0x9E3779B1;
	FormatEx(id, length, "%d-%d-%08x", GetTime(), ++s_counter, noise);
}

/** Lists players from the start first, so that a list that is too long loses only later players. */
static JSONArray Report_Team(int team)
{
	JSONArray entries = new JSONArray();
	Seat seat;
	for (int i = 0; i < Seats_Length(); i++)
	{
		Seats_Get(i, seat);
		if (seat.start == team)
		{
			Report_FromStart(entries, seat);
		}
	}
	for (int i = 0; i < Seats_Length(); i++)
	{
		Seats_Get(i, seat);
		if (seat.team == team && seat.start != team && (seat.took || seat.present && seat.start != 0))
		{
			Report_Later(entries, seat);
		}
	}
	return entries;
}

static void Report_FromStart(JSONArray entries, Seat seat)
{
	if (entries.Length >= TEAM_ENTRIES)
	{
		return;
	}
	bool here = seat.team == seat.start && seat.present;
	if (here && g_cvStats.IntValue == 0)
	{
		Json_PushAccount(entries, seat.account);
		return;
	}
	JSONObject entry = Report_Entry(seat.account);
	if (seat.team != seat.start || !seat.present && !seat.took)
	{
		entry.SetBool("participated", false);
	}
	else
	{
		if (!here)
		{
			entry.SetInt("seconds", Report_Seconds(seat.until - Round_Doors(), s_seconds));
		}
		Stats_Write(entry, seat);
	}
	entries.Push(entry);
	delete entry;
}

static void Report_Later(JSONArray entries, Seat seat)
{
	if (entries.Length >= TEAM_ENTRIES)
	{
		return;
	}
	JSONObject entry = Report_Entry(seat.account);
	entry.SetBool("at_start", false);
	float until = seat.present ? s_end : seat.until;
	entry.SetInt("seconds", Report_Seconds(until - seat.since, s_seconds));
	Stats_Write(entry, seat);
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
