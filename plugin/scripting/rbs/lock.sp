// SPDX-License-Identifier: GPL-3.0-or-later
//
// After a scramble everybody stays where they are until the round ends: a change of teams is refused, and whoever
// comes back goes to the old team.

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

/** The team that somebody has to stay on, 0 for any. */
int Lock_Team(int client)
{
	int place = g_account[client] == 0 ? -1 : s_locked.FindValue(g_account[client]);
	return place < 0 ? 0 : s_locked.Get(place, 1);
}

/** The plugin itself has moved somebody in mid-round. */
void Lock_Move(int client, int team)
{
	int place = g_account[client] == 0 ? -1 : s_locked.FindValue(g_account[client]);
	if (place >= 0)
	{
		s_locked.Set(place, team, 1);
	}
}
