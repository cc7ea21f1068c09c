// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts for how many arena rounds in a row each player has waited, including players who left and may come back.

static ArrayList s_gone; // players who left: account, rounds waited

void Bench_Create()
{
	s_gone = new ArrayList(2);
}

/** An arena round goes live: update the waiting times. */
void Bench_Count()
{
	for (int client = 1; client <= MaxClients; client++)
	{
		if (Id_IsPlayer(client))
		{
			g_waited[client] = Lobby_IsWaiting(client) ? g_waited[client] + 1 : 0;
		}
	}
}

/** Stores the waiting time of a player who leaves. */
void Bench_Keep(int client)
{
	int place = g_account[client] == 0 ? -1 : s_gone.FindValue(g_account[client]);
	if (place >= 0)
	{
		s_gone.Erase(place);
	}
	if (g_account[client] != 0 && g_waited[client] > 0)
	{
		s_gone.Set(s_gone.Push(g_account[client]), g_waited[client], 1);
	}
}

int Bench_Kept(int account)
{
	int place = s_gone.FindValue(account);
	return place < 0 ? 0 : s_gone.Get(place, 1);
}

void Bench_ForgetMap()
{
	s_gone.Clear();
	for (int client = 1; client <= MaxClients; client++)
	{
		g_waited[client] = 0;
	}
}
