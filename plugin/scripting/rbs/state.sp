// SPDX-License-Identifier: GPL-3.0-or-later
//
// What more than one file uses. What only one file uses stands there, as a static.

#define PLUGIN_VERSION "0.1.0"

// The game's teams. In what is sent to the service, team a is RED and team b is BLU, always.
#define TEAM_SPECTATOR 1
#define TEAM_RED 2
#define TEAM_BLU 3

// Bytes of a SteamID64 or of a name of a server, with the zero at the end.
#define ID_LENGTH 24
#define SERVER_LENGTH 65
#define ROUND_ID_LENGTH 65

// Clients by their number: the game has up to 100 players, more than SourceMod 1.11 knew, and SourceTV.
#define SLOTS 102

/** The most seconds that a round may have taken, and that are reported of anything in it. */
#define LONGEST_ROUND 86400

/** The most players that the service takes in one list. */
#define LOBBY 128

enum Mode
{
	Mode_Other = 0, // ways of playing without a rule of their own
	Mode_Arena,
	Mode_Koth,
	Mode_Points,    // symmetric control points, such as five of them
	Mode_Attack,    // attack and defend control points
	Mode_Payload,
	Mode_Race,      // payload race
	Mode_Ctf,
	Mode_Mvm
};

/** The life of a round; see round.sp. */
enum RoundPhase
{
	Round_None = 0, // between maps, after a restart, or when the plugin has come into the middle of a round
	Round_Waiting,  // waiting for players
	Round_Before,   // teams stand, the doors are closed
	Round_Live,     // the doors are open
	Round_Over      // somebody has won
};

/** Why teams are to be scrambled. */
enum Reason
{
	Reason_None = 0,
	Reason_Second,    // arena: before the second round
	Reason_Streak,    // arena: one team has won several rounds in a row
	Reason_Untouched, // the loser has taken nothing
	Reason_Rounds,    // so many full rounds were played
	Reason_Waiting,   // waiting for players has ended
	Reason_Vote,
	Reason_Admin
};

/** A player in the round, whether still here or not. */
enum struct Seat
{
	int account;
	int start;    // the team when the doors opened, 0 for somebody who came later
	int team;     // the team now, or the last one
	bool present; // still on that team
	bool took;    // has dealt or taken damage, or healed
	float since;  // game time of joining that team
	float until;  // game time of leaving it, where not present
}

RoundPhase g_round;
Mode g_mode;
Reason g_due;

/** Whether the configuration has been executed, so that the convars are what the operator wrote. */
bool g_configured;
char g_server[SERVER_LENGTH];
char g_map[65];

// By client. The account is that of the SteamID, 0 while Steam has not confirmed it, and for bots.
int g_account[SLOTS];
int g_rating[SLOTS];         // -1 where it is not known
int g_rounds[SLOTS];
int g_untilVisible[SLOTS];   // rounds until the rating is shown
int g_rank[SLOTS];           // 0 for none
bool g_visible[SLOTS];
int g_waited[SLOTS];         // arena rounds in a row on the bench
float g_joined[SLOTS];       // game time of joining the present team
bool g_movedHere[SLOTS];     // was moved to even out in this round
char g_division[SLOTS][33];
