// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rounds of any game whose events say when a round starts and which team has won it. A round that starts again
// without an end, as after a warm-up, is forgotten.

static float s_start; // game time when the round went live
static bool s_bots;   // bots were on a team at that time

void Round_Hook()
{
	HookEvent("round_start", Round_OnStart);
	HookEvent("round_end", Round_OnEnd);
	// Not every game has these events.
	HookEventEx("round_freeze_end", Round_OnFreezeEnd);
	HookEventEx("dod_round_start", Round_OnStart);
	HookEventEx("dod_round_active", Round_OnFreezeEnd);
	HookEventEx("dod_round_win", Round_OnWin);
	HookEvent("player_team", Round_OnTeam);
	HookEvent("player_hurt", Round_OnHurt);
	HookEvent("player_death", Round_OnDeath);
}

float Round_Doors()
{
	return s_start;
}

bool Round_IsOurs()
{
	return g_cvEnabled.BoolValue;
}

public void Round_OnStart(Event event, const char[] name, bool dontBroadcast)
{
	Round_Open();
}

/** The players may move. Teams cannot meet before, so the round restarts now. */
public void Round_OnFreezeEnd(Event event, const char[] name, bool dontBroadcast)
{
	if (g_round == Round_Live)
	{
		Round_Open();
	}
}

static void Round_Open()
{
	g_round = Round_Live;
	s_start = GetGameTime();
	s_bots = false;
	for (int client = 1; client <= MaxClients; client++)
	{
		s_bots = s_bots || IsClientInGame(client) && IsFakeClient(client) && GetClientTeam(client) >= TEAM_A;
	}
	Seats_Open();
}

public void Round_OnEnd(Event event, const char[] name, bool dontBroadcast)
{
	Round_Close(event.GetInt("winner"));
}

public void Round_OnWin(Event event, const char[] name, bool dontBroadcast)
{
	Round_Close(event.GetInt("team"));
}

/** Reports the round. Without a winner it is a draw. */
static void Round_Close(int winner)
{
	bool live = g_round == Round_Live;
	g_round = Round_Over;
	if (live && Round_IsOurs() && Round_Counts())
	{
		Stats_Finish(Report_Make(winner, GetGameTime() - s_start));
	}
}

/** Returns whether the round is reported. A team is empty while a game waits for players. */
static bool Round_Counts()
{
	if (!g_cvRate.BoolValue || g_server[0] == '\0' || s_bots && !g_cvRateWithBots.BoolValue)
	{
		return false;
	}
	int teamA = Seats_AtDoors(TEAM_A), teamB = Seats_AtDoors(TEAM_B);
	return teamA > 0 && teamB > 0 && teamA + teamB >= g_cvLeastPlayers.IntValue;
}

public void Round_OnTeam(Event event, const char[] name, bool dontBroadcast)
{
	int client = GetClientOfUserId(event.GetInt("userid"));
	if (client != 0 && !event.GetBool("disconnect"))
	{
		Seats_Join(client, event.GetInt("team"));
	}
}

public void Round_OnHurt(Event event, const char[] name, bool dontBroadcast)
{
	int victim = GetClientOfUserId(event.GetInt("userid"));
	int attacker = GetClientOfUserId(event.GetInt("attacker"));
	if (victim != 0 && attacker != 0 && victim != attacker)
	{
		Seats_TakesPart(victim);
		Seats_TakesPart(attacker);
	}
}

public void Round_OnDeath(Event event, const char[] name, bool dontBroadcast)
{
	Stats_OnKill(GetClientOfUserId(event.GetInt("userid")), GetClientOfUserId(event.GetInt("attacker")), 0);
}
