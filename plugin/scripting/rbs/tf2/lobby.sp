// SPDX-License-Identifier: GPL-3.0-or-later
//
// The players of the next round. In arena these are the players on a team or waiting for a place. In other modes nobody
// waits, and the players on a team play.

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

/**
 * Returns whether a client waits for a place: an arena spectator who has a class and did not choose to spectate. The
 * game, too, queues players once they have chosen a class.
 */
bool Lobby_IsWaiting(int client)
{
	return g_mode == Mode_Arena
		&& GetClientTeam(client) == TEAM_SPECTATOR
		&& GetEntProp(client, Prop_Send, "m_bArenaSpectator") == 0
		&& Teams_HasClass(client);
}

/** Returns a player for /v1/balance and /v1/place. The caller must close the handle. */
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

/** Returns a request with the server's name and both teams. The caller must close the handle. */
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
		player.SetInt("joined_seconds", Number_Within(RoundToFloor(GetGameTime() - g_joined[client]), 0, LONGEST_ROUND));
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
