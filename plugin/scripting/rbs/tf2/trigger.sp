// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rules for automatic scrambles. Pure functions: they read neither the game nor convars.

/** The game's win reason for a successful defence. */
#define WON_BY_DEFENDING 4

/** The rules that the operator has set. */
enum struct Rules
{
	bool second;
	int streak;
	int rounds;
	bool untouched;
	int gap;
}

/** The last round and the history of the map. */
enum struct Past
{
	Mode mode;
	int winner;     // TEAM_RED, TEAM_BLU, 0 for a draw
	int how;        // the game's win reason
	int loserTook;  // points or flags
	int played;     // full rounds on this map, this one included
	int since;      // full rounds since the last scramble, this one included
	int streak;     // wins in a row of the winner
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
	switch (past.mode)
	{
		case Mode_Arena:
		{
			return rules.streak > 0 && past.streak >= rules.streak ? Reason_Streak : Reason_None;
		}
		case Mode_Koth, Mode_Points, Mode_Ctf, Mode_Race:
		{
			return rules.untouched && past.winner != 0 && past.loserTook == 0 ? Reason_Untouched : Reason_None;
		}
		case Mode_Attack, Mode_Payload:
		{
			// BLU attacks, so only BLU can lose without a capture.
			if (rules.untouched && past.winner == TEAM_RED && past.how == WON_BY_DEFENDING && past.loserTook == 0)
			{
				return Reason_Untouched;
			}
			return rules.rounds > 0 && past.since >= rules.rounds ? Reason_Rounds : Reason_None;
		}
	}
	return Reason_None;
}
