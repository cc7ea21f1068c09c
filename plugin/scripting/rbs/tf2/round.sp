// SPDX-License-Identifier: GPL-3.0-or-later
//
// The phases of a round: None, then Before, Live and Over for each round. A round goes live ("the doors open") with
// arena_round_start in arena, with the end of the setup if there is one, and else with teamplay_round_active. Teams are
// made at teamplay_round_start, after the game has balanced, swapped and respawned the players, and after arena's queue
// has filled the teams. The game has no event for waiting for players; SourceMod has TF2_OnWaitingForPlayersEnd.

static float s_doors;      // game time when the round went live
static bool s_bots;        // bots were on a team at that time
static bool s_betweenStages;
static int s_played;       // full rounds on this map
static int s_sinceScramble;
static int s_taken[4];     // captures of each team in this round

void Round_Hook()
{
	HookEvent("teamplay_round_start", Round_OnStart);
	// Team Fortress 2 Classic may lack the events that are hooked with HookEventEx.
	HookEventEx("arena_round_start", Round_OnArenaStart);
	HookEvent("teamplay_setup_finished", Round_OnSetupFinished);
	HookEvent("teamplay_round_active", Round_OnActive);
	HookEvent("teamplay_round_win", Round_OnWin);
	HookEvent("teamplay_restart_round", Round_OnEnd);
	HookEvent("teamplay_game_over", Round_OnEnd);
	HookEvent("tf_game_over", Round_OnEnd);
	HookEvent("teamplay_point_captured", Round_OnPoint);
	HookEvent("teamplay_flag_event", Round_OnFlag);
	HookEvent("player_hurt", Round_OnHurt);
	HookEventEx("player_healed", Round_OnHealed);
}

void Round_ForgetMap()
{
	g_round = Round_None;
	s_betweenStages = false;
	s_played = 0;
	s_sinceScramble = 0;
}

float Round_Doors()
{
	return s_doors;
}

int Round_Played()
{
	return s_played;
}

int Round_SinceScramble()
{
	return s_sinceScramble;
}

int Round_Taken(int team)
{
	return s_taken[team];
}

/** Resets the counters of the old teams and their votes after a scramble. */
void Round_NewTeams()
{
	s_sinceScramble = 0;
	Tally_NewTeams();
	Vote_Clear();
	Poll_Cancel();
}

/** Returns whether the plugin is active on this map and in this match. */
bool Round_IsOurs()
{
	return g_cvEnabled.BoolValue && g_mode != Mode_Mvm && !Mode_IsOff() && !Game_IsTournament() && !Game_HasMoreTeams();
}

public void Round_OnStart(Event event, const char[] name, bool dontBroadcast)
{
	Mode_Find();
	if (Game_IsWaiting())
	{
		g_round = Round_Waiting;
		return;
	}
	if (s_betweenStages && !Mode_RatesStages())
	{
		// The next stage continues the same round.
		return;
	}
	bool stage = s_betweenStages;
	s_betweenStages = false;
	g_round = Round_Before;
	if (!stage && Round_IsOurs())
	{
		Scramble_OnRoundStart();
	}
}

public void Round_OnArenaStart(Event event, const char[] name, bool dontBroadcast)
{
	if (g_round == Round_Before)
	{
		Round_Open();
	}
}

public void Round_OnSetupFinished(Event event, const char[] name, bool dontBroadcast)
{
	// Teams cannot meet during the setup, so a round that went live before restarts now.
	if (g_round == Round_Before || g_round == Round_Live && !s_betweenStages && s_taken[TEAM_RED] + s_taken[TEAM_BLU] == 0)
	{
		Round_Open();
	}
}

public void Round_OnActive(Event event, const char[] name, bool dontBroadcast)
{
	if (g_round == Round_Before && g_mode != Mode_Arena && !Game_IsInSetup())
	{
		Round_Open();
	}
}

static void Round_Open()
{
	g_round = Round_Live;
	s_doors = GetGameTime();
	s_bots = false;
	s_taken[TEAM_RED] = 0;
	s_taken[TEAM_BLU] = 0;
	for (int client = 1; client <= MaxClients; client++)
	{
		g_movedHere[client] = false;
		s_bots = s_bots || IsClientInGame(client) && IsFakeClient(client) && GetClientTeam(client) >= TEAM_RED;
	}
	Seats_Open();
	Mode_OnDoors();
	if (Round_IsOurs())
	{
		Table_Want(false);
		Bench_Count();
		Balance_OnDoors();
	}
}

public void Round_OnWin(Event event, const char[] name, bool dontBroadcast)
{
	bool full = event.GetBool("full_round");
	bool live = g_round == Round_Live;
	s_betweenStages = !full;
	if (!full && !Mode_RatesStages())
	{
		return;
	}
	g_round = Round_Over;
	int winner = event.GetInt("team");
	if (winner != TEAM_RED && winner != TEAM_BLU)
	{
		winner = 0;
	}
	Lock_Release();
	if (!live || !Round_IsOurs())
	{
		return;
	}
	if (full)
	{
		s_played++;
		s_sinceScramble++;
		if (!Mode_IsOneSided())
		{
			Scramble_OnRoundEnd(winner, event.GetInt("winreason"));
		}
	}
	Table_Age();
	Table_Want(true);
	if (Round_Counts())
	{
		Stats_Finish(Report_Make(winner, GetGameTime() - s_doors));
	}
	else
	{
		Send_Soon();
		if (!Send_IsInProgress())
		{
			Ask_Table();
		}
	}
}

/** Returns whether the round is reported. */
static bool Round_Counts()
{
	if (!g_cvRate.BoolValue || g_server[0] == '\0' || Mode_IsOneSided() || s_bots && !g_cvRateWithBots.BoolValue)
	{
		return false;
	}
	int red = Seats_AtDoors(TEAM_RED), blu = Seats_AtDoors(TEAM_BLU);
	return red > 0 && blu > 0 && red + blu >= g_cvLeastPlayers.IntValue;
}

public void Round_OnEnd(Event event, const char[] name, bool dontBroadcast)
{
	// After waiting for players the game fires teamplay_restart_round while it still waits.
	g_round = Game_IsWaiting() ? Round_Waiting : Round_None;
	s_betweenStages = false;
	Lock_Release();
}

/**
 * Waiting for players ended. SourceMod calls this at each restart of the game too. The first round begins in the same
 * tick and requests its teams then.
 */
void Round_OnWaited()
{
	if (g_round != Round_Waiting)
	{
		return;
	}
	g_round = Round_None;
	if (Round_IsOurs() && g_mode != Mode_Arena && Rule_IsOn(g_cvScramble) && Rule_IsOn(g_cvScrambleWaiting))
	{
		Scramble_Due(Reason_Waiting);
		Table_Want(true);
	}
}

public void Round_OnPoint(Event event, const char[] name, bool dontBroadcast)
{
	Round_Take(event.GetInt("team"));
}

public void Round_OnFlag(Event event, const char[] name, bool dontBroadcast)
{
	// Event type 2 is a capture. The carrier is in the field "player".
	int client = event.GetInt("player");
	if (event.GetInt("eventtype") == 2 && client >= 1 && client <= MaxClients && IsClientInGame(client))
	{
		Round_Take(GetClientTeam(client));
	}
}

static void Round_Take(int team)
{
	if (g_round == Round_Live && (team == TEAM_RED || team == TEAM_BLU))
	{
		s_taken[team]++;
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
		Stats_OnDamage(attacker, event.GetInt("damageamount"));
	}
}

public void Round_OnHealed(Event event, const char[] name, bool dontBroadcast)
{
	int healer = GetClientOfUserId(event.GetInt("healer"));
	int patient = GetClientOfUserId(event.GetInt("patient"));
	if (healer != 0 && healer != patient)
	{
		Seats_TakesPart(healer);
		Stats_OnHealing(healer, event.GetInt("amount"));
	}
}
