// SPDX-License-Identifier: GPL-3.0-or-later
//
// Scrambles. A scramble that is due ("planned" for players) is applied at the start of a round, before it goes live. If
// there are no new teams to apply, it stays due.

static bool s_asking;   // apply the pending table when it arrives
static float s_lastAt;  // game time of the last scramble on this map, 0 for none
static bool s_now;      // an admin requested a scramble during the round
static bool s_waits;    // players were told that the scramble waits for the service

void Scramble_ForgetMap()
{
	s_asking = false;
	s_now = false;
	s_lastAt = 0.0;
	Tally_NewTeams();
}

float Scramble_LastAt()
{
	return s_lastAt;
}

void Scramble_Phrase(Reason reason, char[] phrase, int length)
{
	static const char names[][] = {"none", "second", "streak", "untouched", "rounds", "waiting", "vote", "admin", "fast", "kills", "score", "dominations", "odds"};
	FormatEx(phrase, length, "Reason %s", names[reason]);
}

/** Plans a scramble. The first reason stays. */
void Scramble_Due(Reason reason)
{
	if (g_due != Reason_None)
	{
		return;
	}
	g_due = reason;
	char phrase[32];
	Scramble_Phrase(reason, phrase, sizeof(phrase));
	Log_Done("A scramble is planned: %T.", phrase, LANG_SERVER);
	if (reason != Reason_Waiting)
	{
		Chat_All("%t", "Scramble is due", phrase);
	}
	Api_OnDue(reason);
}

void Scramble_Cancel()
{
	g_due = Reason_None;
	s_asking = false;
	s_now = false;
	s_waits = false;
}

void Scramble_OnRoundEnd(int winner, int how)
{
	int streak = Tally_Win(winner);
	if (!Rule_IsOn(g_cvScramble))
	{
		return;
	}
	Rules rules;
	rules.second = Rule_IsOn(g_cvScrambleSecond);
	rules.streak = Rule_Number(g_cvScrambleStreak);
	rules.rounds = Rule_Number(g_cvScrambleRounds);
	rules.untouched = Rule_IsOn(g_cvScrambleUntouched);
	rules.fast = Rule_Number(g_cvScrambleFast);
	rules.kills = Rule_Value(g_cvScrambleKills);
	rules.score = Rule_Value(g_cvScrambleScore);
	rules.dominations = Rule_Number(g_cvScrambleDominations);
	rules.gap = Rule_Number(g_cvScrambleGap);
	Past past;
	past.mode = g_mode;
	past.winner = winner;
	past.how = how;
	past.played = Round_Played();
	past.since = Round_SinceScramble();
	past.streak = streak;
	past.seconds = GetGameTime() - Round_Doors();
	if (winner != 0)
	{
		int loser = TEAM_RED + TEAM_BLU - winner;
		past.loserTook = Round_Taken(loser);
		past.kills = Tally_Kills(winner);
		past.loserKills = Tally_Kills(loser);
		past.lead = Tally_Score(winner) - Tally_Score(loser);
		past.dominations = Tally_Dominations(winner) - Tally_Dominations(loser);
	}
	Reason reason = Trigger_Judge(rules, past);
	if (reason != Reason_None)
	{
		Scramble_Due(reason);
	}
}

void Scramble_OnRoundStart()
{
	s_asking = false;
	if (g_due == Reason_None)
	{
		return;
	}
	int clients[SLOTS];
	int count = Lobby_Find(clients);
	if (count < Rule_Number(g_cvScrambleLeastPlayers))
	{
		Log_Done("The scramble waits for more players; only %d are here.", count);
		return;
	}
	if (Table_IsFresh() && Table_IsOf(clients, count))
	{
		Scramble_Apply(clients, count);
		return;
	}
	s_asking = Ask_InAHurry();
	if (!s_asking)
	{
		Scramble_FromWhatThereIs(clients, count);
	}
}

/** Scrambles during a round. Returns whether the scramble has been made or requested. */
bool Scramble_Now(Reason reason)
{
	int clients[SLOTS];
	int count = Lobby_Find(clients);
	if (count < 4)
	{
		return false;
	}
	g_due = reason;
	s_now = true;
	s_asking = Ask_InAHurry();
	if (!s_asking)
	{
		Scramble_FromWhatThereIs(clients, count);
	}
	return s_asking || g_due == Reason_None;
}

/** A table arrived or its request failed. With `last` there is no other pending request. */
void Scramble_OnTable(bool last)
{
	if (!s_asking)
	{
		return;
	}
	if (g_due == Reason_None || g_round != Round_Before && !s_now)
	{
		// Too late for this round; the scramble stays due.
		s_asking = false;
		return;
	}
	int clients[SLOTS];
	int count = Lobby_Find(clients);
	if (Table_IsFresh() && Table_IsOf(clients, count))
	{
		Scramble_Apply(clients, count);
	}
	else if (last)
	{
		s_asking = false;
		Scramble_FromWhatThereIs(clients, count);
	}
}

static void Scramble_FromWhatThereIs(const int[] clients, int count)
{
	if (Table_IsThere() && count >= 4)
	{
		Scramble_Apply(clients, count);
	}
	else
	{
		Scramble_Wait();
	}
}

/** There are no new teams to apply: the scramble stays due. */
static void Scramble_Wait()
{
	s_now = false;
	if (!s_waits)
	{
		s_waits = true;
		Log_Done("The scramble waits: RBS does not answer, and no other teams are stored.");
		Chat_All("%t", "Scramble waits");
	}
}

static void Scramble_Apply(const int[] clients, int count)
{
	Reason reason = g_due;
	char phrase[32];
	Scramble_Phrase(reason, phrase, sizeof(phrase));
	if (!Api_MayScramble(reason))
	{
		Log_Done("Another plugin prevented the scramble (%T).", phrase, LANG_SERVER);
		Scramble_Cancel();
		return;
	}
	int seats[SLOTS];
	int split = Table_Largest(count);
	bool exact = Seating_Make(split, clients, count, seats);
	int pinned = Pin_Seats(clients, count, seats);
	bool fresh = Table_IsFresh();
	if (!fresh && !Teams_Differ(seats))
	{
		Scramble_Wait();
		return;
	}
	Scramble_Cancel();
	Table_Age();
	s_lastAt = GetGameTime();
	if (g_cvDryRun.BoolValue)
	{
		Teams_LogPlan(seats);
		Round_NewTeams();
		return;
	}
	int moved = Teams_Apply(seats);
	Round_NewTeams();
	Balance_OnNewTeams();
	Lock_Set(seats);
	Setup_Restart();
	Scramble_Tell(phrase, split, exact && fresh, pinned, moved);
	Api_OnScrambled(reason, moved);
}

static void Scramble_Tell(const char[] phrase, int split, bool exact, int pinned, int moved)
{
	char say[128];
	Table_Say(split, say, sizeof(say));
	Log_Done("Scrambled (%T): %d players moved. %s", phrase, LANG_SERVER, moved, exact ? say : "The teams differ from RBS's plan: it did not answer in time, or players left.");
	Chat_All("%t", "Scrambled", phrase, moved);
	if (pinned > 0)
	{
		Log_Done("%d players kept their team and swapped seats with others, so the odds differ from those of the split.", pinned);
		Chat_All("%t", "Pinned", pinned);
	}
	else if (exact)
	{
		float odds = Seating_RedOdds(split);
		Chat_All("%t", "Odds", Number_Percent(odds), 100 - Number_Percent(odds));
		Balance_OddsAreTold();
	}
	else
	{
		Chat_All("%t", "Substitutes");
	}
}
