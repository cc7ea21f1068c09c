// SPDX-License-Identifier: GPL-3.0-or-later
//
// Balance during a round. Changes of the teams within rbs_balance_delay seconds lead to one request. The players whom
// the service names are moved at once, or at their next death or the end of a time limit. The same request at the start
// of a round gives the odds.

// Lifetime of cached odds in seconds.
#define ODDS_SECONDS 10.0

static int s_serial;                     // of the pending request, 0 for none
static bool s_late;                      // the time limit passed: move the players alive
static bool s_awaitOdds;                 // the odds of this round are still pending
static bool s_oddsTold;                  // the scramble already announced the odds
static Handle s_timer;                   // after a change of the teams
static Handle s_lateTimer;               // the time limit for moves at the next death
static int s_plan[SLOTS];       // the team to move to at the next death, 0 for none
static int s_askers[SLOTS];     // user ids of players who wait for the odds
static bool s_askerIsAdmin[SLOTS];       // the asker also wants the balance message
static int s_askerCount;
static float s_redOdds = -1.0;           // last answer; below 0 if none in this round
static float s_oddsAt;                   // game time of that answer

void Balance_Forget()
{
	Balance_DropPlan();
	s_redOdds = -1.0;
	s_awaitOdds = false;
	s_askerCount = 0;
}

static void Balance_DropPlan()
{
	for (int client = 0; client < SLOTS; client++)
	{
		s_plan[client] = 0;
	}
	if (s_lateTimer != null)
	{
		KillTimer(s_lateTimer);
		s_lateTimer = null;
	}
	s_late = false;
}

/** Returns the win probability of RED in this round, below 0 if unknown. */
float Balance_RedOdds()
{
	return s_redOdds;
}

void Balance_OnDoors()
{
	Balance_Forget();
	s_awaitOdds = true;
	Balance_Ask();
}

/** The scramble announced the odds of the next round. */
void Balance_OddsAreTold()
{
	s_oddsTold = true;
}

void Balance_ForgetClient(int client)
{
	s_plan[client] = 0;
}

/** The teams changed. */
void Balance_Touch()
{
	if (s_timer == null && Balance_IsOn())
	{
		s_timer = CreateTimer(g_cvBalanceDelay.FloatValue, Balance_OnTimer);
	}
}

static bool Balance_IsOn()
{
	return g_round == Round_Live && g_mode != Mode_Arena && g_cvBalance.BoolValue && Round_IsOurs();
}

public Action Balance_OnTimer(Handle timer)
{
	s_timer = null;
	if (Balance_IsOn())
	{
		Balance_Ask();
	}
	return Plugin_Stop;
}

/** Returns whether an answer will come. */
static bool Balance_Ask()
{
	if (!Service_MayAsk())
	{
		return false;
	}
	JSONObject body = Lobby_Teams();
	char mode[16];
	Mode_Name(mode, sizeof(mode));
	JSONArray modes = new JSONArray();
	modes.PushString(mode);
	body.Set("modes", modes);
	delete modes;
	int left = Game_SecondsLeft();
	if (left >= 0)
	{
		body.SetInt("seconds_left", left);
	}
	s_serial = Http_Post(Request_Balance, "/v1/balance", body, g_cvTimeout.IntValue);
	delete body;
	return true;
}

/**
 * A player asks for the odds, or an admin for the odds and the balance. Returns whether an answer will come. Recent
 * odds are repeated from the cache, because a new request replaces the planned moves: nobody may delay a move by asking.
 */
bool Balance_AskOdds(int client, bool admin)
{
	int user = client == 0 ? 0 : GetClientUserId(client);
	if (!admin && s_redOdds >= 0.0 && (s_lateTimer != null || GetGameTime() - s_oddsAt < ODDS_SECONDS))
	{
		Balance_Answer(user, Number_Percent(s_redOdds), "");
		return true;
	}
	if (!Balance_Ask())
	{
		return false;
	}
	if (s_askerCount < SLOTS)
	{
		s_askerIsAdmin[s_askerCount] = admin;
		s_askers[s_askerCount++] = user;
	}
	return true;
}

void Balance_OnAnswer(int serial, Verdict verdict, JSONObject data, const char[] detail)
{
	if (serial != s_serial)
	{
		return;
	}
	s_serial = 0;
	bool late = s_late;
	Balance_DropPlan();
	if (verdict == Verdict_Refused)
	{
		LogError("RBS refused the request for balance: %s", detail);
	}
	if (verdict != Verdict_Done)
	{
		s_askerCount = 0;
		return;
	}
	Balance_TakeOdds(data);
	JSONArray moves = Json_Array(data, "moves");
	if (moves == null)
	{
		return;
	}
	if (moves.Length > 0 && Balance_IsOn())
	{
		char say[128];
		Json_String(data, "message", say, sizeof(say));
		Log_Done("%s", say);
		bool onDeath = Json_Bool(data, "apply_on_death") && !late;
		Balance_Plan(moves);
		if (onDeath)
		{
			s_lateTimer = CreateTimer(float(Json_Int(data, "apply_within_seconds", 10)), Balance_OnLate);
			Balance_MoveTheDead();
		}
		else
		{
			Balance_MoveAll();
		}
	}
	delete moves;
}

static void Balance_TakeOdds(JSONObject data)
{
	JSONObject teams = Json_Object(data, "before");
	if (teams == null)
	{
		return;
	}
	s_redOdds = Json_Float(teams, "win_probability_a", 0.5);
	s_oddsAt = GetGameTime();
	int percent = Number_Percent(s_redOdds);
	if (s_awaitOdds && g_round == Round_Live)
	{
		if (!s_oddsTold)
		{
			Chat_All("%t", "Odds", percent, 100 - percent);
		}
		s_oddsTold = false;
		Api_OnRoundStart(Json_Int(teams, "rating_a"), Json_Int(teams, "rating_b"), s_redOdds);
	}
	s_awaitOdds = false;
	delete teams;
	char say[128];
	Json_String(data, "message", say, sizeof(say));
	for (int i = 0; i < s_askerCount; i++)
	{
		Balance_Answer(s_askers[i], percent, s_askerIsAdmin[i] ? say : "");
	}
	s_askerCount = 0;
}

static void Balance_Answer(int user, int percent, const char[] say)
{
	int client = user == 0 ? 0 : GetClientOfUserId(user);
	if (user == 0)
	{
		PrintToServer("[RBS] %T %s", "Odds", LANG_SERVER, percent, 100 - percent, say);
	}
	else if (client != 0)
	{
		Chat_One(client, "%t", "Odds", percent, 100 - percent);
		if (say[0] != '\0')
		{
			Chat_One(client, "%s", say);
		}
	}
}

static void Balance_Plan(JSONArray moves)
{
	for (int i = 0; i < moves.Length; i++)
	{
		JSONObject move = view_as<JSONObject>(moves.Get(i));
		char id[ID_LENGTH], to[4];
		Json_String(move, "to", to, sizeof(to));
		int team = StrEqual(to, "a") ? TEAM_RED : TEAM_BLU;
		Json_String(move, "id", id, sizeof(id));
		Balance_PlanOne(id, team);
		if (Json_String(move, "with", id, sizeof(id)))
		{
			Balance_PlanOne(id, TEAM_RED + TEAM_BLU - team);
		}
		delete move;
	}
}

static void Balance_PlanOne(const char[] id, int team)
{
	int client = Id_Client(Id_Read(id));
	if (client == 0 || !Id_IsOnTeam(client) || GetClientTeam(client) == team || g_movedHere[client])
	{
		return;
	}
	if (!Api_MayBalance(client, team))
	{
		Log_Done("Another plugin prevented the move of %L.", client);
		return;
	}
	if (g_cvDryRun.BoolValue)
	{
		LogMessage("Dry run: %L would be moved to %s to balance the teams.", client, team == TEAM_RED ? "RED" : "BLU");
		return;
	}
	s_plan[client] = team;
}

static void Balance_MoveAll()
{
	for (int client = 1; client <= MaxClients; client++)
	{
		Balance_Move(client);
	}
}

static void Balance_MoveTheDead()
{
	for (int client = 1; client <= MaxClients; client++)
	{
		if (s_plan[client] != 0 && IsClientInGame(client) && !IsPlayerAlive(client))
		{
			Balance_Move(client);
		}
	}
}

static void Balance_Move(int client)
{
	int team = s_plan[client];
	s_plan[client] = 0;
	if (team == 0 || !Id_IsOnTeam(client) || GetClientTeam(client) == team)
	{
		return;
	}
	bool alive = IsPlayerAlive(client);
	// Set this even if the move fails: nobody is moved twice in a round.
	g_movedHere[client] = true;
	if (Teams_Move(client, team, alive))
	{
		Lock_Move(client, team);
		Log_Done("%L was moved to %s to balance the teams.", client, team == TEAM_RED ? "RED" : "BLU");
		Chat_All("%t", "Moved", client, team == TEAM_RED ? "RED" : "BLU");
	}
}

/** The time limit passed. The teams may have changed, so ask again. */
public Action Balance_OnLate(Handle timer)
{
	s_lateTimer = null;
	if (Balance_IsOn())
	{
		s_late = Balance_Ask();
	}
	return Plugin_Stop;
}

void Balance_OnDeath(int client)
{
	if (s_plan[client] != 0 && Balance_IsOn())
	{
		// The game is still processing the death, so wait for the next frame.
		RequestFrame(Balance_AfterDeath, GetClientUserId(client));
	}
}

public void Balance_AfterDeath(any user)
{
	int client = GetClientOfUserId(user);
	if (client != 0 && Balance_IsOn())
	{
		Balance_Move(client);
	}
}
