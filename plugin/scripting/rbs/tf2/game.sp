// SPDX-License-Identifier: GPL-3.0-or-later
//
// The game's own balance and scramble features, which would interfere with the plugin. Their convars are set to 0 while
// the plugin does this work, and restored afterwards.

#define GAME_CONVARS 4

static const char s_names[GAME_CONVARS][] = {
	"mp_autoteambalance",
	"mp_scrambleteams_auto",
	"sv_vote_issue_scramble_teams_allowed",
	"tf_arena_max_streak"
};
static char s_before[GAME_CONVARS][16];
static bool s_taken[GAME_CONVARS];
static bool s_setting; // the observed change of a convar comes from this plugin

void Game_Hook()
{
	ConVar tournament = FindConVar("mp_tournament");
	if (tournament != null)
	{
		tournament.AddChangeHook(Game_OnChange);
	}
	for (int i = 0; i < GAME_CONVARS; i++)
	{
		ConVar convar = FindConVar(s_names[i]);
		if (convar != null)
		{
			convar.AddChangeHook(Game_OnChange);
		}
	}
}

/** A vote, a configuration of the map or an admin changed a convar. */
public void Game_OnChange(ConVar convar, const char[] before, const char[] after)
{
	if (!g_configured || s_setting)
	{
		return;
	}
	Game_Adjust();
	if (convar.IntValue == 0 && StringToInt(after) != 0)
	{
		char name[64];
		convar.GetName(name, sizeof(name));
		Log_Done("%s stays 0 while the plugin is active. The value %s applies afterwards.", name, after);
	}
}

/** Returns whether this is Team Fortress 2 or a game made from it. */
bool Game_IsSupported()
{
	char folder[32];
	GetGameFolderName(folder, sizeof(folder));
	return GetEngineVersion() == Engine_TF2 || StrEqual(folder, "tf2classic") || StrEqual(folder, "tf2classified");
}

/** Returns whether somebody is on a third or fourth team, which Team Fortress 2 Classic has on some maps. */
bool Game_HasMoreTeams()
{
	for (int team = TEAM_BLU + 1; team < GetTeamCount(); team++)
	{
		if (GetTeamClientCount(team) > 0)
		{
			return true;
		}
	}
	return false;
}

/** Returns whether the plugin may move players. */
bool Game_IsOurs()
{
	return g_cvEnabled.BoolValue && !g_cvDryRun.BoolValue;
}

void Game_Adjust()
{
	for (int i = 0; i < GAME_CONVARS; i++)
	{
		bool ours = Game_IsOurs() && Round_IsOurs() && (i == 0 ? g_cvBalance.BoolValue : Rule_IsOn(g_cvScramble));
		if (ours)
		{
			Game_Take(i);
		}
		else
		{
			Game_PutBack(i);
		}
	}
}

void Game_Restore()
{
	for (int i = 0; i < GAME_CONVARS; i++)
	{
		Game_PutBack(i);
	}
}

/** Sets a convar to 0 and stores the operator's value. A later value of the operator replaces the stored one. */
static void Game_Take(int i)
{
	ConVar convar = FindConVar(s_names[i]);
	if (convar == null || convar.IntValue == 0)
	{
		return;
	}
	convar.GetString(s_before[i], sizeof(s_before[]));
	if (!s_taken[i])
	{
		s_taken[i] = true;
		Log_Done("%s is set from %s to 0 while the plugin is active.", s_names[i], s_before[i]);
	}
	s_setting = true;
	convar.IntValue = 0;
	s_setting = false;
}

static void Game_PutBack(int i)
{
	ConVar convar = FindConVar(s_names[i]);
	if (s_taken[i] && convar != null && convar.IntValue == 0)
	{
		s_setting = true;
		convar.SetString(s_before[i]);
		s_setting = false;
	}
	s_taken[i] = false;
}

/** Returns whether players of arena wait in the game's queue. */
bool Game_HasArenaQueue()
{
	ConVar queue = FindConVar("tf_arena_use_queue");
	return g_mode == Mode_Arena && queue != null && queue.BoolValue;
}

bool Game_IsWaiting()
{
	return GameRules_GetProp("m_bInWaitingForPlayers") != 0;
}

bool Game_IsInSetup()
{
	return GameRules_GetProp("m_bInSetup") != 0;
}

/** Returns whether this is a tournament match, in which the plugin is inactive. */
bool Game_IsTournament()
{
	ConVar tournament = FindConVar("mp_tournament");
	return tournament != null && tournament.BoolValue;
}

/** Returns the seconds left on the round's timer, or -1 if there is no timer or more than one. */
int Game_SecondsLeft()
{
	int left = -1, entity = -1;
	while ((entity = FindEntityByClassname(entity, "team_round_timer")) != -1)
	{
		if (GetEntProp(entity, Prop_Send, "m_bIsDisabled") != 0 || GetEntProp(entity, Prop_Send, "m_bTimerPaused") != 0)
		{
			continue;
		}
		if (left >= 0)
		{
			return -1;
		}
		float seconds = GetEntPropFloat(entity, Prop_Send, "m_flTimerEndTime") - GetGameTime();
		left = seconds > 0.0 ? RoundToFloor(seconds) : 0;
	}
	return left;
}

/** Returns whether the client is in a duel, which a change of teams would end. Some games have no duels. */
bool Game_IsInDuel(int client)
{
	return GetFeatureStatus(FeatureType_Native, "TF2_IsPlayerInDuel") == FeatureStatus_Available && TF2_IsPlayerInDuel(client);
}
