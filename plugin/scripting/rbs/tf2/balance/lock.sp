// SPDX-License-Identifier: GPL-3.0-or-later
//
// Locks players to a team until the round ends: all players after a scramble, and each player whom balance moved. They
// cannot change teams, and return to the same team if they reconnect.

static ArrayList s_locked; // account, team
static ArrayList s_moved;  // accounts of the players whom balance moved in this round

void Lock_Create()
{
	s_locked = new ArrayList(2);
	s_moved = new ArrayList();
}

void Lock_Set(const int seats[SLOTS])
{
	s_locked.Clear();
	for (int client = 1; client <= MaxClients; client++)
	{
		if (seats[client] >= TEAM_RED && Id_IsOnTeam(client))
		{
			Lock_Add(g_account[client], GetClientTeam(client));
		}
	}
}

void Lock_Release()
{
	s_locked.Clear();
	s_moved.Clear();
}

/** Returns the team that a client is locked to, or 0. */
int Lock_Team(int client)
{
	int place = g_account[client] == 0 ? -1 : s_locked.FindValue(g_account[client]);
	return place < 0 ? 0 : s_locked.Get(place, 1);
}

/** Balance moved a client: locks the client to the new team, and nobody is moved twice in a round. */
void Lock_Move(int client, int team)
{
	g_movedHere[client] = true;
	if (g_account[client] != 0)
	{
		s_moved.Push(g_account[client]);
		Lock_Add(g_account[client], team);
	}
}

/** Returns whether balance has moved the player in this round, also before a reconnect. */
bool Lock_WasMoved(int account)
{
	return s_moved.FindValue(account) >= 0;
}

static void Lock_Add(int account, int team)
{
	if (!g_cvLock.BoolValue)
	{
		return;
	}
	int place = s_locked.FindValue(account);
	if (place < 0)
	{
		place = s_locked.Push(account);
	}
	s_locked.Set(place, team, 1);
}
