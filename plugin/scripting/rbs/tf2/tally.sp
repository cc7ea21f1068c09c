// SPDX-License-Identifier: GPL-3.0-or-later
//
// How one-sided a round was: kills, points and dominations of the teams, and wins in a row of the same players.

static int s_kills[4];           // kills of each team in this round
static int s_before[SLOTS];      // the client's score when the round went live
static bool s_won[SLOTS];        // the client was on the team that won the last round
static int s_streak;             // wins in a row since the last scramble

void Tally_Hook()
{
	HookEvent("player_death", Tally_OnDeath);
}

void Tally_ForgetMap()
{
	Tally_NewTeams();
}

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
	s_before[client] = 0;
	s_won[client] = false;
}

/** The round goes live. */
void Tally_Open()
{
	s_kills[TEAM_RED] = 0;
	s_kills[TEAM_BLU] = 0;
	for (int client = 1; client <= MaxClients; client++)
	{
		s_before[client] = IsClientInGame(client) ? Tally_Of(client, "m_iTotalScore") : 0;
	}
}

/** Returns a figure of the scoreboard. */
static int Tally_Of(int client, const char[] property)
{
	int resource = GetPlayerResourceEntity();
	return resource == -1 ? 0 : GetEntProp(resource, Prop_Send, property, _, client);
}

public void Tally_OnDeath(Event event, const char[] name, bool dontBroadcast)
{
	int victim = GetClientOfUserId(event.GetInt("userid"));
	int attacker = GetClientOfUserId(event.GetInt("attacker"));
	if (g_round != Round_Live || victim == 0 || attacker == 0 || (event.GetInt("death_flags") & TF_DEATHFLAG_DEADRINGER) != 0)
	{
		return;
	}
	int team = GetClientTeam(attacker);
	if (team >= TEAM_RED && team != GetClientTeam(victim))
	{
		s_kills[team]++;
	}
}

int Tally_Kills(int team)
{
	return s_kills[team];
}

/** Returns the mean score of a team's players in this round. */
float Tally_Score(int team)
{
	int points, players;
	for (int client = 1; client <= MaxClients; client++)
	{
		if (Id_IsOnTeam(client) && GetClientTeam(client) == team)
		{
			points += Tally_Of(client, "m_iTotalScore") - s_before[client];
			players++;
		}
	}
	return players == 0 ? 0.0 : float(points) / float(players);
}

/** Returns how many opponents the team's players dominate, added up. */
int Tally_Dominations(int team)
{
	int dominations;
	for (int client = 1; client <= MaxClients; client++)
	{
		if (IsClientInGame(client) && GetClientTeam(client) == team)
		{
			dominations += Tally_Of(client, "m_iActiveDominations");
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
