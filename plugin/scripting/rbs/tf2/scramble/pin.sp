// SPDX-License-Identifier: GPL-3.0-or-later
//
// Players whom a scramble leaves on their team. Each of them swaps seats with a player of the other side of the split
// whose rating is closest, so that the sizes stay right and the odds change little.

/** Returns whether a scramble must leave the client on the current team. */
bool Pin_Has(int client)
{
	if (Game_IsInDuel(client))
	{
		return true;
	}
	int flags;
	if (GetCommandOverride("rbs_scramble_immunity", Override_Command, flags) && CheckCommandAccess(client, "rbs_scramble_immunity", ADMFLAG_ROOT, true))
	{
		return true;
	}
	return g_cvScrambleKeep.BoolValue && (Medic_Charge(client) >= CHARGE_KEPT || Immunity_HasBuilt(client));
}

/** Puts the players who keep their team back into their seats. Returns how many seats were swapped. */
int Pin_Seats(const int[] clients, int count, int seats[SLOTS])
{
	bool pinned[SLOTS];
	for (int i = 0; i < count; i++)
	{
		pinned[clients[i]] = Id_IsOnTeam(clients[i]) && Pin_Has(clients[i]);
	}
	int swaps = 0;
	for (int i = 0; i < count; i++)
	{
		int client = clients[i];
		int team = pinned[client] ? GetClientTeam(client) : 0;
		int other = team == 0 || seats[client] == team ? 0 : Pin_Partner(client, team, clients, count, seats, pinned);
		if (other != 0)
		{
			seats[other] = seats[client];
			seats[client] = team;
			swaps++;
		}
	}
	return swaps;
}

/** Returns the player with a seat on the team whose rating is closest to the client's, or 0 if all must keep theirs. */
static int Pin_Partner(int client, int team, const int[] clients, int count, const int seats[SLOTS], const bool pinned[SLOTS])
{
	int best = 0, bestDistance = 0;
	for (int i = 0; i < count; i++)
	{
		int other = clients[i];
		int distance = Number_Absolute(g_rating[other] - g_rating[client]);
		bool free = seats[other] == team && !(pinned[other] && GetClientTeam(other) == team);
		if (free && (best == 0 || distance < bestDistance))
		{
			best = other;
			bestDistance = distance;
		}
	}
	return best;
}
