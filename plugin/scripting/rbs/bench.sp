// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who has waited for how many arena rounds in a row, also of those who have left and may come back.

static ArrayList s_gone; // accounts that have left, and the rounds that they had waited

void Bench_Create()
{
	s_gone = new ArrayList(2);
}

/** The doors of an arena round open: who waits, and who does not. */
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

/** Whoever leaves and comes back has still waited. */
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
