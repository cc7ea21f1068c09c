// SPDX-License-Identifier: GPL-3.0-or-later
//
// Scoreboards of the current round. Kills, deaths, assists, damage and healing are counted from events; the score is
// read from the game (Part_Score). seats.sp keeps all of them by account.

// Games write their scoreboards at intervals: Team Fortress 2 every 0.1 seconds.
#define SCORE_SECONDS 0.3

// Values of rbs_stats.
#define STATS_COMMON 1
#define STATS_ALL 2

/**
 * A player killed another one. `assister` is 0 if nobody assisted. Suicides, deaths by the world, and kills of team mates
 * do not count.
 */
void Stats_OnKill(int victim, int attacker, int assister)
{
	if (victim == 0 || attacker == 0 || victim == attacker || GetClientTeam(victim) == GetClientTeam(attacker))
	{
		return;
	}
	Seats_Count(victim, Seat::deaths, 1);
	Seats_Count(attacker, Seat::kills, 1);
	if (assister != 0)
	{
		Seats_Count(assister, Seat::assists, 1);
	}
}

stock void Stats_OnDamage(int attacker, int damage)
{
	if (g_cvStats.IntValue >= STATS_ALL)
	{
		Seats_Count(attacker, Seat::damage, damage);
	}
}

stock void Stats_OnHealing(int healer, int amount)
{
	if (g_cvStats.IntValue >= STATS_ALL)
	{
		Seats_Count(healer, Seat::healing, amount);
	}
}

/** Adds the player's numbers to an entry of a report. */
void Stats_Write(JSONObject entry, Seat seat)
{
	if (g_cvStats.IntValue < STATS_COMMON)
	{
		return;
	}
	JSONObject stats = new JSONObject();
	stats.SetInt("score", seat.score);
	stats.SetInt("kills", seat.kills);
	stats.SetInt("deaths", seat.deaths);
	if (Part_HasAssists())
	{
		stats.SetInt("assists", seat.assists);
	}
	if (g_cvStats.IntValue >= STATS_ALL && Part_HasDamage())
	{
		stats.SetInt("damage", seat.damage);
		stats.SetInt("healing", seat.healing);
	}
	entry.Set("stats", stats);
	delete stats;
}

/**
 * Queues a finished round. The file has the round at once, so that a crash does not lose it. The round is sent when the
 * game has written the final scores: a report must not change after it was sent.
 */
void Stats_Finish(JSONObject round)
{
	char id[ROUND_ID_LENGTH];
	Json_String(round, "round_id", id, sizeof(id));
	Queue_Add(round);
	if (g_cvStats.IntValue >= STATS_COMMON)
	{
		Send_Hold(id);
		CreateTimer(SCORE_SECONDS, Stats_OnTimer);
	}
	Send_Soon();
}

public Action Stats_OnTimer(Handle timer)
{
	int index = Send_Held();
	// After a map change or a restart, the game's scores belong to another round.
	if (index >= 0 && g_round == Round_Over)
	{
		Seats_TakeScores();
		Report_Teams(Queue_Get(index));
		Queue_Save();
	}
	Send_Hold("");
	Send_Soon();
	return Plugin_Stop;
}
