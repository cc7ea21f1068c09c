// SPDX-License-Identifier: GPL-3.0-or-later
//
// Balance during a round. Changes of the teams within rbs_balance_delay seconds lead to one request. The players whom
// the service names are moved at once, or at their next death or the end of a time limit (plan.sp). Without an answer,
// the sizes of the teams alone decide. The same request at the start of a round gives the odds.

// Lifetime of cached odds in seconds.
#define ODDS_SECONDS 10.0
// Seconds without an answer after which the sizes alone decide. The living are moved after as many seconds again.
#define ALONE_SECONDS 10

static int s_serial;                     // of the pending request, 0 for none
static bool s_late;                      // the time limit passed: move the players alive
static bool s_awaitOdds;                 // the odds of this round are still pending
static bool s_oddsTold;                  // the scramble already announced the odds
static Handle s_timer;                   // after a change of the teams
static Handle s_lateTimer;               // the time limit for moves at the next death
static Handle s_aloneTimer;              // ALONE_SECONDS after an unanswered request
static bool s_alone;                     // the sizes alone have decided already, and the living were warned
static int s_askers[SLOTS];     // user ids of players who wait for the odds
static bool s_askerIsAdmin[SLOTS];       // the asker also wants the balance message
static int s_askerCount;
static float s_redOdds = -1.0;           // last answer; below 0 if none in this round
static float s_oddsAt;                   // game time of that answer

void Balance_Forget()
{
	Balance_DropPlan();
	Balance_StopWatch();
	Plan_Forget();
	s_redOdds = -1.0;
	s_awaitOdds = false;
	s_askerCount = 0;
}

static void Balance_DropPlan()
{
	Plan_Drop();
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
	s_oddsTold = g_round != Round_Live;
}

/** A scramble made new teams: planned moves and pending answers were for the old ones. */
void Balance_OnNewTeams()
{
	Balance_DropPlan();
	Balance_StopWatch();
	s_serial = 0;
	Balance_Touch();
}

/** The teams changed. */
void Balance_Touch()
{
	if (s_timer == null && Balance_IsOn())
	{
		s_timer = CreateTimer(g_cvBalanceDelay.FloatValue, Balance_OnTimer);
	}
}

bool Balance_IsOn()
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

/** Returns whether an answer will come. Unless balance acts on it or an admin asks, the question is for the odds alone. */
static bool Balance_Ask(bool admin = false)
{
	if (s_aloneTimer == null && Balance_IsOn())
	{
		s_aloneTimer = CreateTimer(float(ALONE_SECONDS), Balance_OnAlone);
	}
	if (!Service_MayAsk())
	{
		return false;
	}
	JSONObject body = admin || Balance_IsOn() ? Balance_Question() : Lobby_OddsQuestion();
	s_serial = Http_Post(Request_Balance, "/v1/balance", body, g_cvTimeout.IntValue);
	delete body;
	return true;
}

/** Returns a request for moves. The caller must close the handle. */
static JSONObject Balance_Question()
{
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
	return body;
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
	if (!Balance_Ask(admin))
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
	s_late = false;
	if (verdict == Verdict_Refused)
	{
		LogError("RBS refused the request for balance: %s", detail);
	}
	JSONArray moves = verdict == Verdict_Done ? Json_Array(data, "moves") : null;
	if (moves == null)
	{
		s_askerCount = 0;
		return;
	}
	Balance_TakeOdds(data);
	if (moves.Length > 0 || Balance_IsComplete(data))
	{
		Balance_DropPlan();
		Balance_StopWatch();
	}
	if (moves.Length > 0 && Balance_IsOn())
	{
		char say[128];
		Json_String(data, "message", say, sizeof(say));
		Log_Done("%s", say);
		Plan_Take(moves);
		if (Json_Bool(data, "apply_on_death") && !late)
		{
			int seconds = Json_Int(data, "apply_within_seconds", 10);
			s_lateTimer = CreateTimer(float(seconds), Balance_OnLate);
			Plan_MoveTheDead();
			Plan_Warn(seconds);
		}
		else
		{
			Plan_MoveAll();
		}
	}
	delete moves;
}

/**
 * Returns whether an answer without moves ends the matter. The service does not count players whom Steam has not
 * confirmed. If these make the sizes uneven, the sizes decide, unless the policy leaves the teams alone now.
 */
static bool Balance_IsComplete(JSONObject data)
{
	JSONArray suppressed = Json_Array(data, "suppressed");
	bool leftAlone = false;
	if (suppressed != null)
	{
		leftAlone = suppressed.Length > 0;
		delete suppressed;
	}
	return leftAlone || !Lobby_HasStrangers() || Lobby_Difference() < 2;
}

static void Balance_StopWatch()
{
	if (s_aloneTimer != null)
	{
		KillTimer(s_aloneTimer);
		s_aloneTimer = null;
	}
	s_alone = false;
}

/** No answer has come: moves the dead by size alone, and the living if the teams are still uneven the next time. */
public Action Balance_OnAlone(Handle timer)
{
	s_aloneTimer = null;
	if (!Balance_IsOn() || Lobby_Difference() < 2)
	{
		s_alone = false;
		return Plugin_Stop;
	}
	bool late = s_alone;
	int red = GetTeamClientCount(TEAM_RED), blu = GetTeamClientCount(TEAM_BLU);
	if (!late)
	{
		Log_Done("RBS has not said whom to move. The sizes of the teams decide: RED %d, BLU %d.", red, blu);
	}
	Balance_DropPlan();
	s_alone = true;
	Plan_BySize(red > blu ? TEAM_RED : TEAM_BLU, Lobby_Difference() / 2);
	if (g_cvDryRun.BoolValue)
	{
		return Plugin_Stop;
	}
	if (late)
	{
		Plan_MoveAll();
	}
	else
	{
		Plan_MoveTheDead();
		Plan_Warn(ALONE_SECONDS);
	}
	Balance_Ask();
	return Plugin_Stop;
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
