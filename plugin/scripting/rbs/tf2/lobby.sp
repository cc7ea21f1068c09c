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

/**
 * Returns a request with the server's name and both teams. With `mover`, the teams are those after this client has
 * changed to the team `to`. The caller must close the handle.
 */
JSONObject Lobby_Teams(int mover = 0, int to = 0)
{
	JSONObject body = new JSONObject();
	body.SetString("server", g_server);
	JSONArray red = Lobby_Team(TEAM_RED, mover, to);
	JSONArray blu = Lobby_Team(TEAM_BLU, mover, to);
	body.Set("team_a", red);
	body.Set("team_b", blu);
	delete red;
	delete blu;
	Lobby_Strangers(body);
	return body;
}

/** Returns a request for the odds alone, for the teams as they are, or after `mover` has changed to the team `to`. */
JSONObject Lobby_OddsQuestion(int mover = 0, int to = 0)
{
	JSONObject body = Lobby_Teams(mover, to);
	// Balance leaves this mode alone, so the service does not take the question for teams that need an intervention.
	JSONArray modes = new JSONArray();
	modes.PushString("tournament");
	body.Set("modes", modes);
	delete modes;
	if (mover != 0)
	{
		body.SetBool("hypothetical", true);
	}
	return body;
}

static JSONArray Lobby_Team(int team, int mover, int to)
{
	int resource = GetPlayerResourceEntity();
	JSONArray players = new JSONArray();
	for (int client = 1; client <= MaxClients; client++)
	{
		if (!Id_IsPlayer(client) || (client == mover ? to : GetClientTeam(client)) != team || players.Length >= 64)
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

/** Adds the numbers of bots. Players whom Steam has not confirmed count as bots, because nobody knows their rating. */
static void Lobby_Strangers(JSONObject body)
{
	int count[4];
	for (int client = 1; client <= MaxClients; client++)
	{
		if (IsClientInGame(client) && g_account[client] == 0)
		{
			count[GetClientTeam(client)]++;
		}
	}
	if (count[TEAM_RED] + count[TEAM_BLU] > 0)
	{
		JSONObject counts = new JSONObject();
		counts.SetInt("a", count[TEAM_RED]);
		counts.SetInt("b", count[TEAM_BLU]);
		body.Set("bots", counts);
		delete counts;
	}
}

/** Returns whether Steam has not confirmed somebody on a team. */
bool Lobby_HasStrangers()
{
	for (int client = 1; client <= MaxClients; client++)
	{
		if (g_account[client] == 0 && IsClientInGame(client) && !IsFakeClient(client) && GetClientTeam(client) >= TEAM_RED)
		{
			return true;
		}
	}
	return false;
}

/** Returns the difference of the team sizes, with bots and players whom Steam has not confirmed. */
int Lobby_Difference()
{
	return Number_Absolute(GetTeamClientCount(TEAM_RED) - GetTeamClientCount(TEAM_BLU));
}
