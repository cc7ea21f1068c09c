// SPDX-License-Identifier: GPL-3.0-or-later
//
// The players of the current round, by account, so that a player who reconnects is counted once.

static ArrayList s_seats;
static bool s_took[SLOTS]; // cache of Seat::took, which makes most damage events cheap

void Seats_Create()
{
	s_seats = new ArrayList(sizeof(Seat));
}

int Seats_Length()
{
	return s_seats.Length;
}

void Seats_Get(int index, Seat seat)
{
	s_seats.GetArray(index, seat);
}

/** The round goes live: everybody on a team gets a seat from the start. */
void Seats_Open()
{
	s_seats.Clear();
	for (int client = 1; client <= MaxClients; client++)
	{
		s_took[client] = false;
		if (Id_IsOnTeam(client))
		{
			Seats_Add(client, GetClientTeam(client), GetClientTeam(client));
		}
	}
}

static void Seats_Add(int client, int team, int start)
{
	Seat seat;
	seat.account = g_account[client];
	seat.start = start;
	seat.team = team;
	seat.present = true;
	seat.since = GetGameTime();
	seat.counted = Part_Score(client);
	s_seats.PushArray(seat);
}

/** The client joined a team. A team below TEAM_A means no team. */
void Seats_Join(int client, int team)
{
	if (g_round != Round_Live || g_account[client] == 0)
	{
		return;
	}
	int index = s_seats.FindValue(g_account[client], Seat::account);
	if (index < 0)
	{
		if (team >= TEAM_A)
		{
			s_took[client] = false;
			Seats_Add(client, team, 0);
		}
		return;
	}
	if (team < TEAM_A)
	{
		Seats_Leave(client);
		return;
	}
	Seat seat;
	s_seats.GetArray(index, seat);
	if (seat.team != team)
	{
		seat.team = team;
		seat.since = GetGameTime();
	}
	if (!seat.present)
	{
		seat.present = true;
		seat.counted = Part_Score(client);
	}
	s_seats.SetArray(index, seat);
}

void Seats_Leave(int client)
{
	s_took[client] = false;
	if (g_round != Round_Live || g_account[client] == 0)
	{
		return;
	}
	int index = s_seats.FindValue(g_account[client], Seat::account);
	Seat seat;
	if (index < 0)
	{
		return;
	}
	s_seats.GetArray(index, seat);
	if (seat.present)
	{
		seat.present = false;
		seat.until = GetGameTime();
		Seats_TakeScore(client, seat);
		s_seats.SetArray(index, seat);
	}
}

/** Adds to one of the numbers of the client's scoreboard. */
void Seats_Count(int client, int number, int amount)
{
	int index = g_round != Round_Live || g_account[client] == 0 ? -1 : s_seats.FindValue(g_account[client], Seat::account);
	if (index >= 0)
	{
		s_seats.Set(index, view_as<int>(s_seats.Get(index, number)) + amount, number);
	}
}

/** Updates the scores of the players who are present. */
void Seats_TakeScores()
{
	Seat seat;
	for (int i = 0; i < s_seats.Length; i++)
	{
		s_seats.GetArray(i, seat);
		int client = Id_Client(seat.account);
		if (seat.present && client != 0 && IsClientInGame(client))
		{
			Seats_TakeScore(client, seat);
			s_seats.SetArray(i, seat);
		}
	}
}

static void Seats_TakeScore(int client, Seat seat)
{
	int now = Part_Score(client);
	seat.score += now - seat.counted;
	seat.counted = now;
}

/** The client took part: dealt or took damage, or healed. */
void Seats_TakesPart(int client)
{
	if (g_round != Round_Live || s_took[client] || g_account[client] == 0)
	{
		return;
	}
	int index = s_seats.FindValue(g_account[client], Seat::account);
	if (index >= 0)
	{
		s_took[client] = true;
		s_seats.Set(index, true, Seat::took);
	}
}

/** Returns the size of a team when the round went live. */
int Seats_AtDoors(int team)
{
	int count = 0;
	for (int i = 0; i < s_seats.Length; i++)
	{
		if (s_seats.Get(i, Seat::start) == team)
		{
			count++;
		}
	}
	return count;
}
