// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who may play in the next round. In arena that is everybody who is on a team or waits for a place; elsewhere nobody
// waits, and everybody who is on a team plays.

static ArrayList s_gone; // accounts that have left, and the rounds that they had waited

void Bench_Create()
{
	s_gone = new ArrayList(2);
}

int Lobby_Find(int clients[SLOTS])
{
	int count = 0;
	for (int client = 1; client <= MaxClients; client++)
	{
		if (Id_IsPlayer(client) && (GetClientTeam(client) >= TEAM_RED || Lobby_IsWaiting(client)))
		{
			clients[count++] = client;
		}
	}
	return count;
}

int Lobby_Count()
{
	int clients[SLOTS];
	return Lobby_Find(clients);
}

/** In arena, those who wait for a place are spectators who have not chosen to be. */
bool Lobby_IsWaiting(int client)
{
	return g_mode == Mode_Arena && GetClientTeam(client) == TEAM_SPECTATOR && GetEntProp(client, Prop_Send, "m_bArenaSpectator") == 0;
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

/** A player as /v1/balance and /v1/place take one; the caller closes the handle. */
JSONObject Lobby_Player(int client)
{
	char id[ID_LENGTH], party[16];
	Id_Write(g_account[client], id, sizeof(id));
	JSONObject player = new JSONObject();
	player.SetString("id", id);
	if (Party_Label(client, party, sizeof(party)))
	{
		player.SetString("party", party);
	}
	return player;
}

/** A request with the name of the server and both teams; the caller closes the handle. */
JSONObject Lobby_Teams()
{
	JSONObject body = new JSONObject();
	body.SetString("server", g_server);
	JSONArray red = Lobby_Team(TEAM_RED);
	JSONArray blu = Lobby_Team(TEAM_BLU);
	body.Set("team_a", red);
	body.Set("team_b", blu);
	delete red;
	delete blu;
	Lobby_Bots(body);
	return body;
}

static JSONArray Lobby_Team(int team)
{
	int resource = GetPlayerResourceEntity();
	JSONArray players = new JSONArray();
	for (int client = 1; client <= MaxClients; client++)
	{
		if (!Id_IsPlayer(client) || GetClientTeam(client) != team || players.Length >= 64)
		{
			continue;
		}
		JSONObject player = Lobby_Player(client);
		if (resource != -1)
		{
			player.SetInt("points", GetEntProp(resource, Prop_Send, "m_iTotalScore", _, client));
		}
		player.SetInt("joined_seconds", RoundToFloor(GetGameTime() - g_joined[client]));
		if (g_movedHere[client])
		{
			player.SetBool("moved", true);
		}
		if (Immunity_Has(client))
		{
			player.SetBool("immune", true);
		}
		players.Push(player);
		delete player;
	}
	return players;
}

static void Lobby_Bots(JSONObject body)
{
	int bots[4];
	for (int client = 1; client <= MaxClients; client++)
	{
		if (IsClientInGame(client) && IsFakeClient(client) && GetClientTeam(client) >= TEAM_RED)
		{
			bots[GetClientTeam(client)]++;
		}
	}
	if (bots[TEAM_RED] + bots[TEAM_BLU] > 0)
	{
		JSONObject counts = new JSONObject();
		counts.SetInt("a", bots[TEAM_RED]);
		counts.SetInt("b", bots[TEAM_BLU]);
		body.Set("bots", counts);
		delete counts;
	}
}
