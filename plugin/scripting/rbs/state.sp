// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shared state. State of a single file is static in that file.

#define PLUGIN_VERSION "0.1.0"

// The game's teams. For the service, team a is always RED and team b is always BLU.
#define TEAM_SPECTATOR 1
#define TEAM_RED 2
#define TEAM_BLU 3

// Buffer sizes, including the terminating zero.
#define ID_LENGTH 24
#define SERVER_LENGTH 65
#define ROUND_ID_LENGTH 65

// Array size by client: up to 100 players (more than SourceMod 1.11 supports), SourceTV, and the unused index 0.
#define SLOTS 102

/** Maximum duration in seconds that is reported to the service. */
#define LONGEST_ROUND 86400

/** Maximum number of players that the service accepts in one list. */
#define LOBBY 128

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

/** The phases of a round; see round.sp. */
enum RoundPhase
{
	Round_None = 0, // between maps, after a restart, or if the plugin was loaded during a round
	Round_Waiting,  // waiting for players
	Round_Before,   // teams are made, the round is not live yet
	Round_Live,     // the round is live
	Round_Over      // the round has ended
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

/** A player of the current round, including players who left. */
enum struct Seat
{
	int account;
	int start;    // the team when the round went live, 0 for a later player
	int team;     // the current or last team
	bool present; // is still on that team
	bool took;    // has dealt or taken damage, or healed
	float since;  // game time of joining that team
	float until;  // game time of leaving it, if not present
}

RoundPhase g_round;
Mode g_mode;
Reason g_due;

/** Whether the configuration files were executed, so that the convars have the operator's values. */
bool g_configured;
char g_server[SERVER_LENGTH];
char g_map[65];

// Indexed by client. The account is 0 for bots and until Steam has confirmed the client.
int g_account[SLOTS];
int g_rating[SLOTS];         // -1 if unknown
int g_rounds[SLOTS];
int g_untilVisible[SLOTS];   // rounds until the rating is shown
int g_rank[SLOTS];           // 0 for none
bool g_visible[SLOTS];
int g_waited[SLOTS];         // arena rounds in a row on the bench
float g_joined[SLOTS];       // game time of joining the current team
bool g_movedHere[SLOTS];     // was moved by balance in this round
char g_division[SLOTS][33];
