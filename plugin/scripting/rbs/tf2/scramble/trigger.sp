// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rules for automatic scrambles. Pure functions: they read neither the game nor convars.

/** The game's win reason for a successful defence. */
#define WON_BY_DEFENDING 4

/** The rules that the operator has set. 0 turns a rule off. */
enum struct Rules
{
	bool second;
	int streak;
	int rounds;
	bool untouched;
	int fast;          // seconds
	float kills;       // winners' kills per kill of the losers
	float score;       // points per player and minute
	int dominations;
	int gap;
}

/** The last round and the history of the map. */
enum struct Past
{
	Mode mode;
	int winner;      // TEAM_RED, TEAM_BLU, 0 for a draw
	int how;         // the game's win reason
	int loserTook;   // points or flags
	int played;      // full rounds on this map, this one included
	int since;       // full rounds since the last scramble, this one included
	int streak;      // wins in a row of the winner
	float seconds;   // since the round went live
	int kills;       // of the winners
	int loserKills;
	float lead;      // mean score of the winners' players in the round, minus that of the losers
	int dominations; // of the winners, minus those of the losers
}

Reason Trigger_Judge(Rules rules, Past past)
{
	if (past.mode == Mode_Arena && rules.second && past.played == 1)
	{
		return Reason_Second;
	}
	if (past.since <= rules.gap)
	{
		return Reason_None;
	}
	if (rules.untouched && Trigger_IsUntouched(past))
	{
		return Reason_Untouched;
	}
	if (past.winner != 0 && rules.streak > 0 && past.streak >= rules.streak)
	{
		return Reason_Streak;
	}
	bool attack = past.mode == Mode_Attack || past.mode == Mode_Payload;
	if (attack && rules.rounds > 0 && past.since >= rules.rounds)
	{
		return Reason_Rounds;
	}
	return past.winner == 0 ? Reason_None : Trigger_JudgeWin(rules, past);
}

/** Returns whether the losers captured nothing, in a mode in which they could. */
static bool Trigger_IsUntouched(Past past)
{
	if (past.winner == 0 || past.loserTook != 0)
	{
		return false;
	}
	switch (past.mode)
	{
		case Mode_Koth, Mode_Points, Mode_Ctf, Mode_Race:
		{
			return true;
		}
		case Mode_Attack, Mode_Payload:
		{
			// BLU attacks, so only BLU can lose without a capture.
			return past.winner == TEAM_RED && past.how == WON_BY_DEFENDING;
		}
	}
	return false;
}

/** Judges how clearly the round was won. */
static Reason Trigger_JudgeWin(Rules rules, Past past)
{
	if (rules.fast > 0 && past.seconds <= float(rules.fast))
	{
		return Reason_Fast;
	}
	// Losers without a kill count as one kill.
	int loserKills = past.loserKills > 0 ? past.loserKills : 1;
	if (rules.kills > 0.0 && float(past.kills) >= rules.kills * float(loserKills))
	{
		return Reason_Kills;
	}
	float minutes = past.seconds < 1.0 ? 1.0 / 60.0 : past.seconds / 60.0;
	if (rules.score > 0.0 && FloatAbs(past.lead) / minutes >= rules.score)
	{
		return Reason_Score;
	}
	return rules.dominations > 0 && past.dominations >= rules.dominations ? Reason_Dominations : Reason_None;
}
