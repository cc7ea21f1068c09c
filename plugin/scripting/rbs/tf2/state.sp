// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shared state of the files for Team Fortress 2.

#define TEAM_RED TEAM_A
#define TEAM_BLU TEAM_B

enum Mode
{
	Mode_Other = 0, // modes without scramble rules of their own
	Mode_Arena,
	Mode_Koth,
	Mode_Points,    // symmetric control points, such as 5CP
	Mode_Attack,    // attack and defend control points
	Mode_Payload,
	Mode_Race,      // payload race
	Mode_Ctf,
	Mode_Mvm
};

/** The reason of a scramble. */
enum Reason
{
	Reason_None = 0,
	Reason_Second,    // arena: before the second round
	Reason_Streak,    // one team has won several rounds in a row
	Reason_Untouched, // the loser captured nothing
	Reason_Rounds,    // the teams have played rbs_scramble_rounds full rounds
	Reason_Waiting,   // the phase "waiting for players" ended
	Reason_Vote,
	Reason_Admin,
	Reason_Fast,        // a team won within rbs_scramble_fast seconds
	Reason_Kills,       // the winners made rbs_scramble_kills times the kills of the losers
	Reason_Score,       // the mean score per minute of the teams differs by rbs_scramble_score
	Reason_Dominations, // the winners dominate rbs_scramble_dominations more opponents than the losers
	Reason_Odds         // the predicted odds of the teams exceed rbs_scramble_odds
};

Mode g_mode;
Reason g_due;

// Indexed by client.
int g_waited[SLOTS];         // arena rounds in a row on the bench
float g_joined[SLOTS];       // game time of joining the current team
bool g_movedHere[SLOTS];     // was moved by balance in this round
