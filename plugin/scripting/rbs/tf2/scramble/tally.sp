// SPDX-License-Identifier: GPL-3.0-or-later
//
// How one-sided a round was: kills, points and dominations of the teams, and wins in a row of the same players.

static bool s_won[SLOTS];        // the client was on the team that won the last round
static int s_streak;             // wins in a row since the last scramble

void Tally_NewTeams()
{
	s_streak = 0;
	for (int client = 0; client < SLOTS; client++)
	{
		s_won[client] = false;
	}
}

void Tally_Forget(int client)
{
	s_won[client] = false;
}

/** Returns the kills of a team's players in this round. */
int Tally_Kills(int team)
{
	int kills;
	Seat seat;
	for (int i = 0; i < Seats_Length(); i++)
	{
		Seats_Get(i, seat);
		kills += seat.team == team ? seat.kills : 0;
	}
	return kills;
}

/** Returns the mean score in this round of the players on a team. */
float Tally_Score(int team)
{
	int points, players;
	Seat seat;
	Seats_TakeScores();
	for (int i = 0; i < Seats_Length(); i++)
	{
		Seats_Get(i, seat);
		if (seat.present && seat.team == team)
		{
			points += seat.score;
			players++;
		}
	}
	return players == 0 ? 0.0 : float(points) / float(players);
}

/** Returns how many opponents the team's players dominate, added up. */
int Tally_Dominations(int team)
{
	int dominations, resource = GetPlayerResourceEntity();
	for (int client = 1; resource != -1 && client <= MaxClients; client++)
	{
		if (IsClientInGame(client) && GetClientTeam(client) == team)
		{
			dominations += GetEntProp(resource, Prop_Send, "m_iActiveDominations", _, client);
		}
	}
	return dominations;
}

/**
 * Counts a win, and returns the wins in a row. The players count and not the color, because attack and defend swaps
 * the teams after a round: a streak goes on if more of the last winners are among the winners than among the losers.
 */
int Tally_Win(int winner)
{
	int again, against;
	for (int client = 1; client <= MaxClients; client++)
	{
		bool plays = Id_IsOnTeam(client);
		if (plays && s_won[client])
		{
			again += GetClientTeam(client) == winner ? 1 : 0;
			against += GetClientTeam(client) == winner ? 0 : 1;
		}
		s_won[client] = plays && GetClientTeam(client) == winner;
	}
	s_streak = winner == 0 ? 0 : again > against ? s_streak + 1 : 1;
	return s_streak;
}
