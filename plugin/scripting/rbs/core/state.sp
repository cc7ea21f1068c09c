// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shared state. State of a single file is static in that file.

#define PLUGIN_VERSION "0.1.0"

// The game's teams. TEAM_A is always team a of the service, and TEAM_B team b.
#define TEAM_SPECTATOR 1
#define TEAM_A 2
#define TEAM_B 3

// Buffer sizes, including the terminating zero.
#define ID_LENGTH 24
#define SERVER_LENGTH 65
#define ROUND_ID_LENGTH 65

// Array size by client: up to 100 players (more than SourceMod 1.11 supports), SourceTV, and the unused index 0.
#define SLOTS 102

// Rating of a client whose rating is not known. Ratings can be negative, but not as low as this.
#define UNKNOWN_RATING -1000000

/** Maximum duration in seconds that is reported to the service. */
#define LONGEST_ROUND 86400

/** Maximum number of players that the service accepts in one list. */
#define LOBBY 128

/** The phases of a round; see the game's round.sp. */
enum RoundPhase
{
	Round_None = 0, // between maps, after a restart, or if the plugin was loaded during a round
	Round_Waiting,  // waiting for players
	Round_Before,   // teams are made, the round is not live yet
	Round_Live,     // the round is live
	Round_Over      // the round has ended
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
	int kills;
	int deaths;
	int assists;
	int damage;
	int healing;
	int score;    // points of this round, up to the last Seats_TakeScores or the time of leaving
	int counted;  // the game's score when `score` was computed
}

RoundPhase g_round;

/** Whether the configuration files were executed, so that the convars have the operator's values. */
bool g_configured;
char g_server[SERVER_LENGTH];
char g_map[65];

// Indexed by client. The account is 0 for bots and until Steam has confirmed the client.
int g_account[SLOTS];
int g_rating[SLOTS];         // UNKNOWN_RATING if unknown
int g_rounds[SLOTS];
int g_untilVisible[SLOTS];   // rounds until the rating is shown
int g_rank[SLOTS];           // 0 for none
bool g_visible[SLOTS];
char g_division[SLOTS][33];
