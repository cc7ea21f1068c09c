// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stacking by hand: refuses a player's own change of teams if it raises the favourite's odds above rbs_stack_guard. The
// service gives the odds of the teams before and after the change. Without both answers, the change is allowed.

enum
{
	Stack_Before = 0,
	Stack_After,
	STACK_ODDS
};

static int s_team[SLOTS];                 // the team that the player has chosen, 0 for no pending question
static int s_serial[SLOTS][STACK_ODDS];   // of the pending requests, 0 for none
static float s_redOdds[SLOTS][STACK_ODDS];
static float s_deadline[SLOTS];           // engine time

void Stack_Forget(int client)
{
	s_team[client] = 0;
}

/** Returns whether a change to `team` has to wait for the odds. Evening out the sizes is always allowed. */
bool Stack_Holds(int client, int team)
{
	int from = GetClientTeam(client);
	int other = TEAM_RED + TEAM_BLU - team;
	int mine = GetTeamClientCount(team) + 1;
	int theirs = GetTeamClientCount(other) - (from == other ? 1 : 0);
	if (g_cvStackGuard.FloatValue <= 0.0 || g_account[client] == 0 || from == team || mine <= theirs)
	{
		return false;
	}
	if (s_team[client] != 0)
	{
		// No answer within the deadline: the extension was probably reloaded.
		return GetEngineTime() < s_deadline[client];
	}
	return Service_MayAsk() && Stack_Ask(client, team);
}

static bool Stack_Ask(int client, int team)
{
	s_team[client] = team;
	s_deadline[client] = GetEngineTime() + 2.0 * JOIN_SECONDS;
	for (int i = 0; i < STACK_ODDS; i++)
	{
		JSONObject body = i == Stack_Before ? Lobby_OddsQuestion() : Lobby_OddsQuestion(client, team);
		s_redOdds[client][i] = -1.0;
		s_serial[client][i] = Http_Post(Request_Stack, "/v1/balance", body, JOIN_SECONDS);
		delete body;
	}
	return true;
}

void Stack_OnAnswer(int serial, Verdict verdict, JSONObject data)
{
	for (int client = 1; client <= MaxClients; client++)
	{
		for (int i = 0; i < STACK_ODDS; i++)
		{
			if (s_team[client] != 0 && s_serial[client][i] == serial)
			{
				Stack_Take(client, i, verdict == Verdict_Done ? data : null);
				return;
			}
		}
	}
}

static void Stack_Take(int client, int i, JSONObject data)
{
	s_serial[client][i] = 0;
	JSONObject teams = Json_Object(data, "before");
	if (teams != null)
	{
		s_redOdds[client][i] = Json_Float(teams, "win_probability_a", -1.0);
		delete teams;
	}
	if (s_serial[client][Stack_Before] == 0 && s_serial[client][Stack_After] == 0)
	{
		Stack_Decide(client);
	}
}

static void Stack_Decide(int client)
{
	int team = s_team[client];
	s_team[client] = 0;
	int locked = Lock_Team(client);
	if (!IsClientInGame(client) || GetClientTeam(client) == team || locked != 0 && locked != team)
	{
		return;
	}
	float before = s_redOdds[client][Stack_Before], after = s_redOdds[client][Stack_After];
	float favourite = Stack_Favourite(after);
	if (before < 0.0 || after < 0.0 || favourite <= Stack_Favourite(before) || favourite * 100.0 <= g_cvStackGuard.FloatValue)
	{
		Join_Choose(client, team);
		return;
	}
	int percent = Number_Percent(after);
	Chat_One(client, "%t", "Stack refused", Teams_Name(team), percent, 100 - percent);
	Log_Done("%L may not join %s: the odds would be RED %d %%, BLU %d %%.", client, Teams_Name(team), percent, 100 - percent);
}

static float Stack_Favourite(float redOdds)
{
	return redOdds > 0.5 ? redOdds : 1.0 - redOdds;
}
