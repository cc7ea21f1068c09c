// SPDX-License-Identifier: GPL-3.0-or-later
//
// Locks the teams after a scramble until the round ends: players cannot change teams, and a player who reconnects
// returns to the same team.

static ArrayList s_locked; // account, team

void Lock_Create()
{
	s_locked = new ArrayList(2);
}

void Lock_Set(const int seats[SLOTS])
{
	s_locked.Clear();
	for (int client = 1; g_cvLock.BoolValue && client <= MaxClients; client++)
	{
		if (seats[client] >= TEAM_RED && Id_IsOnTeam(client))
		{
			int place = s_locked.Push(g_account[client]);
			s_locked.Set(place, GetClientTeam(client), 1);
		}
	}
}

void Lock_Release()
{
	s_locked.Clear();
}

/** Returns the team that a client is locked to, or 0. */
int Lock_Team(int client)
{
	int place = g_account[client] == 0 ? -1 : s_locked.FindValue(g_account[client]);
	return place < 0 ? 0 : s_locked.Get(place, 1);
}

/** Updates the lock of a client whom the plugin moved during a round. */
void Lock_Move(int client, int team)
{
	int place = g_account[client] == 0 ? -1 : s_locked.FindValue(g_account[client]);
	if (place >= 0)
	{
		s_locked.Set(place, team, 1);
	}
}
