// SPDX-License-Identifier: GPL-3.0-or-later
//
// The last table of splits: for each team size, one letter per player for the team. It is kept until the next table
// arrives, so that a scramble is possible while the service is down.

#define TABLE_SIZES 64

static int s_players;                         // 0 without a table
static int s_accounts[LOBBY];
static int s_ratings[LOBBY];                  // as known when the table arrived, or UNKNOWN_RATING
static int s_sizes;
static int s_size[TABLE_SIZES];
static char s_seats[TABLE_SIZES][LOBBY + 1];  // 'a', 'b' or 'w' for waiting
static float s_odds[TABLE_SIZES];             // win probability of team a
static char s_say[TABLE_SIZES][128];
static bool s_fresh;                          // since its arrival, no round ended, no rating changed, and it was not applied
static bool s_wanted;

/** Returns whether the table for the next round must still be requested. */
bool Table_IsWanted()
{
	return s_wanted && Lobby_Count() >= 4;
}

void Table_Want(bool wanted)
{
	s_wanted = wanted;
}

bool Table_IsThere()
{
	return s_players > 0 && s_sizes > 0;
}

/** Returns whether the table is meant for the next round. */
bool Table_IsFresh()
{
	return s_fresh;
}

/** Marks the table as outdated: a round ended, a rating changed, or the table was applied. */
void Table_Age()
{
	s_fresh = false;
}

void Table_Take(JSONObject data)
{
	JSONArray players = Json_Array(data, "players");
	JSONArray splits = Json_Array(data, "splits");
	if (players != null && splits != null && splits.Length > 0)
	{
		Table_TakePlayers(players);
		s_sizes = 0;
		for (int i = 0; i < splits.Length && s_sizes < TABLE_SIZES; i++)
		{
			JSONObject split = view_as<JSONObject>(splits.Get(i));
			Table_TakeSplit(split);
			delete split;
		}
		s_fresh = true;
	}
	s_wanted = false;
	if (players != null)
	{
		delete players;
	}
	if (splits != null)
	{
		delete splits;
	}
}

static void Table_TakePlayers(JSONArray players)
{
	s_players = players.Length > LOBBY ? LOBBY : players.Length;
	for (int i = 0; i < s_players; i++)
	{
		s_accounts[i] = Json_Account(players, i);
		int client = Id_Client(s_accounts[i]);
		s_ratings[i] = client == 0 ? UNKNOWN_RATING : g_rating[client];
	}
}

static void Table_TakeSplit(JSONObject split)
{
	Json_String(split, "seats", s_seats[s_sizes], sizeof(s_seats[]));
	if (strlen(s_seats[s_sizes]) != s_players)
	{
		return;
	}
	s_size[s_sizes] = Json_Int(split, "size");
	s_odds[s_sizes] = Json_Float(split, "win_probability_a", 0.5);
	Json_String(split, "message", s_say[s_sizes], sizeof(s_say[]));
	s_sizes++;
}

/** Returns whether the table is for exactly these players. */
bool Table_IsOf(const int[] clients, int count)
{
	if (!Table_IsThere() || count != s_players)
	{
		return false;
	}
	for (int i = 0; i < count; i++)
	{
		if (Table_Find(g_account[clients[i]]) < 0)
		{
			return false;
		}
	}
	return true;
}

static int Table_Find(int account)
{
	for (int i = 0; i < s_players; i++)
	{
		if (s_accounts[i] == account)
		{
			return i;
		}
	}
	return -1;
}

/** Returns the index of the largest split that `count` players can fill, else of the smallest split. */
int Table_Largest(int count)
{
	int best = 0;
	for (int i = 1; i < s_sizes; i++)
	{
		if (s_size[i] * 2 <= count && (s_size[i] > s_size[best] || s_size[best] * 2 > count))
		{
			best = i;
		}
	}
	return best;
}

/** Returns a player's letter in a split: 'a', 'b' or 'w', or 0 for an unknown player. */
int Table_Seat(int split, int account)
{
	int i = Table_Find(account);
	return i < 0 ? 0 : s_seats[split][i];
}

float Table_Odds(int split)
{
	return s_odds[split];
}

void Table_Say(int split, char[] say, int length)
{
	strcopy(say, length, s_say[split]);
}

int Table_Players()
{
	return s_players;
}

int Table_Account(int i)
{
	return s_accounts[i];
}

int Table_SeatAt(int split, int i)
{
	return s_seats[split][i];
}

/** Returns the current rating of a player of the table or, if the player left, the last known one. */
int Table_Rating(int i)
{
	int client = Id_Client(s_accounts[i]);
	return client != 0 && g_rating[client] != UNKNOWN_RATING ? g_rating[client] : s_ratings[i];
}
