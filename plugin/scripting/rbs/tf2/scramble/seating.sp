// SPDX-License-Identifier: GPL-3.0-or-later
//
// Turns a split into teams of the present players. A substitute takes the place of a player who left: the player without
// a place who has waited longest or, if equal, has the closest rating. In modes where nobody waits, each remaining player
// joins the smaller team or, if equal, the team with the lower rating sum.

static bool s_turned; // team a is BLU

/** Returns the win probability of RED for the last applied split. */
float Seating_RedOdds(int split)
{
	return s_turned ? 1.0 - Table_Odds(split) : Table_Odds(split);
}

/**
 * Fills `seats` by client: TEAM_RED, TEAM_BLU, TEAM_SPECTATOR for the bench, 0 if the client is not in the lobby.
 * Returns whether the teams are exactly those of the split.
 */
bool Seating_Make(int split, const int[] clients, int count, int seats[SLOTS])
{
	bool exact = Table_IsOf(clients, count);
	s_turned = Seating_IsCloserTurned(split, clients, count);
	for (int client = 0; client < SLOTS; client++)
	{
		seats[client] = 0;
	}
	for (int i = 0; i < count; i++)
	{
		seats[clients[i]] = Seating_Team(Table_Seat(split, g_account[clients[i]]));
	}
	if (!exact)
	{
		Seating_Substitute(split, clients, count, seats);
	}
	// The table may come from a mode with another rule on who waits.
	exact = Seating_Even(clients, count, seats) && exact;
	while (g_mode != Mode_Arena && Seating_PlaceOne(clients, count, seats))
	{
		exact = false;
	}
	for (int i = 0; i < count; i++)
	{
		if (seats[clients[i]] == 0)
		{
			seats[clients[i]] = TEAM_SPECTATOR;
		}
	}
	return exact;
}

static int Seating_Team(int letter)
{
	switch (letter)
	{
		case 'a':
		{
			return s_turned ? TEAM_BLU : TEAM_RED;
		}
		case 'b':
		{
			return s_turned ? TEAM_RED : TEAM_BLU;
		}
	}
	return 0;
}

/** Returns whether team a is BLU: more players prefer that or, if equal, fewer players change teams then. */
static bool Seating_IsCloserTurned(int split, const int[] clients, int count)
{
	int stay = 0, stayTurned = 0, gain = 0;
	for (int i = 0; i < count; i++)
	{
		int team = GetClientTeam(clients[i]);
		int letter = Table_Seat(split, g_account[clients[i]]);
		gain += letter == 'a' ? Prefer_Gain(clients[i], TEAM_BLU) : letter == 'b' ? Prefer_Gain(clients[i], TEAM_RED) : 0;
		stay += team == TEAM_RED && letter == 'a' || team == TEAM_BLU && letter == 'b' ? 1 : 0;
		stayTurned += team == TEAM_BLU && letter == 'a' || team == TEAM_RED && letter == 'b' ? 1 : 0;
	}
	// A table that was applied already must not lead to another scramble only because preferences changed.
	return gain != 0 && Table_IsFresh() ? gain > 0 : stayTurned > stay;
}

static void Seating_Substitute(int split, const int[] clients, int count, int seats[SLOTS])
{
	for (int i = 0; i < Table_Players(); i++)
	{
		int team = Seating_Team(Table_SeatAt(split, i));
		int gone = Id_Client(Table_Account(i));
		if (team == 0 || gone != 0 && seats[gone] != 0)
		{
			continue;
		}
		int substitute = Seating_Best(clients, count, seats, Table_Rating(i));
		if (substitute == 0)
		{
			break;
		}
		seats[substitute] = team;
	}
}

/** Returns the best substitute for a player with this rating, or 0. */
static int Seating_Best(const int[] clients, int count, const int seats[SLOTS], int rating)
{
	int best = 0, bestDistance = 0;
	for (int i = 0; i < count; i++)
	{
		int client = clients[i];
		if (seats[client] != 0)
		{
			continue;
		}
		int distance = rating == UNKNOWN_RATING || g_rating[client] == UNKNOWN_RATING ? 0 : Number_Absolute(g_rating[client] - rating);
		if (best == 0 || g_waited[client] > g_waited[best] || g_waited[client] == g_waited[best] && distance < bestDistance)
		{
			best = client;
			bestDistance = distance;
		}
	}
	return best;
}

/**
 * Evens out the team sizes: the larger team gives players to the other team or, in arena, to the bench. Returns whether
 * the sizes were right.
 */
static bool Seating_Even(const int[] clients, int count, int seats[SLOTS])
{
	bool right = true;
	for (int i = count - 1; i >= 0; i--)
	{
		int red = Seating_Size(clients, count, seats, TEAM_RED);
		int blu = Seating_Size(clients, count, seats, TEAM_BLU);
		int larger = red > blu ? TEAM_RED : TEAM_BLU;
		if (Number_Absolute(red - blu) < 2 && !(g_mode == Mode_Arena && red != blu))
		{
			return right;
		}
		if (seats[clients[i]] == larger)
		{
			right = false;
			bool toBench = g_mode == Mode_Arena && Number_Absolute(red - blu) == 1;
			seats[clients[i]] = toBench ? TEAM_SPECTATOR : TEAM_RED + TEAM_BLU - larger;
		}
	}
	return right;
}

/** Gives a place to one player without a place. Returns whether there was such a player. */
static bool Seating_PlaceOne(const int[] clients, int count, int seats[SLOTS])
{
	for (int i = 0; i < count; i++)
	{
		if (seats[clients[i]] == 0)
		{
			int red = Seating_Size(clients, count, seats, TEAM_RED);
			int blu = Seating_Size(clients, count, seats, TEAM_BLU);
			int weaker = Seating_Sum(clients, count, seats, TEAM_RED) <= Seating_Sum(clients, count, seats, TEAM_BLU) ? TEAM_RED : TEAM_BLU;
			seats[clients[i]] = red < blu ? TEAM_RED : blu < red ? TEAM_BLU : weaker;
			return true;
		}
	}
	return false;
}

static int Seating_Size(const int[] clients, int count, const int seats[SLOTS], int team)
{
	int size = 0;
	for (int i = 0; i < count; i++)
	{
		size += seats[clients[i]] == team ? 1 : 0;
	}
	return size;
}

static int Seating_Sum(const int[] clients, int count, const int seats[SLOTS], int team)
{
	int sum = 0;
	for (int i = 0; i < count; i++)
	{
		sum += seats[clients[i]] == team && g_rating[clients[i]] != UNKNOWN_RATING ? g_rating[clients[i]] : 0;
	}
	return sum;
}
