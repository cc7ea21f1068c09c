// SPDX-License-Identifier: GPL-3.0-or-later
//
// Requests a table of splits, either together with a finished round (send.sp) or alone.

// Timeout in seconds for a table that is needed before the round goes live.
#define HURRY_SECONDS 3
// Number of earlier rounds whose teams should not repeat either.
#define REPEAT_ROUNDS 2

static int s_serial; // of the pending request, 0 for none

/** Builds the request for splits. With `alone` it includes the server's name, as a separate request needs. */
JSONObject Ask_Body(bool alone)
{
	JSONObject body = new JSONObject();
	if (alone)
	{
		body.SetString("server", g_server);
	}
	int clients[SLOTS];
	int count = Lobby_Find(clients);
	bool waited = Ask_Players(body, clients, count);
	body.SetString("seats", "letters");
	body.SetInt("party_price", g_cvPartyPrice.IntValue);
	Ask_Recent(body);
	// With a tolerance of 0, waiting times, parties and earlier teams decide only between equally balanced splits.
	body.SetInt("tolerance", g_cvTolerance.IntValue);
	if (g_mode != Mode_Arena)
	{
		body.SetBool("bench", false);
	}
	else if (!waited)
	{
		// The plugin may have been loaded just now. The service knows who did not play.
		body.SetString("waited", "auto");
	}
	if (alone)
	{
		Notices_Give(body);
	}
	return body;
}

/** Adds the players to the request. Returns whether anybody has waited. */
static bool Ask_Players(JSONObject body, const int[] clients, int count)
{
	bool waited = false;
	char id[ID_LENGTH], party[16];
	JSONArray players = new JSONArray();
	for (int i = 0; i < count && i < LOBBY; i++)
	{
		int client = clients[i];
		Id_Write(g_account[client], id, sizeof(id));
		bool inParty = Party_Label(client, party, sizeof(party));
		if (g_waited[client] == 0 && !inParty)
		{
			players.PushString(id);
			continue;
		}
		JSONObject player = new JSONObject();
		player.SetString("id", id);
		if (inParty)
		{
			player.SetString("party", party);
		}
		if (g_waited[client] > 0)
		{
			waited = true;
			player.SetInt("waited", g_waited[client]);
		}
		players.Push(player);
		delete player;
	}
	body.Set("players", players);
	delete players;
	return waited;
}

/** Sends the present teams as "recent", so that the scramble breaks them up. As "current" they would be kept together. */
static void Ask_Recent(JSONObject body)
{
	JSONArray red = Ask_Team(TEAM_RED);
	JSONArray blu = Ask_Team(TEAM_BLU);
	if (red.Length > 0 && blu.Length > 0)
	{
		JSONObject teams = new JSONObject();
		teams.Set("team_a", red);
		teams.Set("team_b", blu);
		JSONArray recent = new JSONArray();
		recent.Push(teams);
		body.Set("recent", recent);
		delete recent;
		delete teams;
	}
	delete red;
	delete blu;
	body.SetInt("repeat", REPEAT_ROUNDS);
}

static JSONArray Ask_Team(int team)
{
	JSONArray players = new JSONArray();
	for (int client = 1; client <= MaxClients; client++)
	{
		if (Id_IsPlayer(client) && GetClientTeam(client) == team)
		{
			Json_PushAccount(players, g_account[client]);
		}
	}
	return players;
}

/** Requests the table for the next round. */
void Ask_Table()
{
	Ask_Send(g_cvTimeout.IntValue);
}

/** Requests a table with a short timeout. Returns whether an answer will come. */
bool Ask_InAHurry()
{
	return Ask_Send(HURRY_SECONDS < g_cvTimeout.IntValue ? HURRY_SECONDS : g_cvTimeout.IntValue);
}

static bool Ask_Send(int seconds)
{
	if (!Service_MayAsk() || Lobby_Count() < 4)
	{
		return false;
	}
	JSONObject body = Ask_Body(true);
	s_serial = Http_Post(Request_Table, "/v1/scramble", body, seconds);
	delete body;
	return true;
}

void Ask_OnAnswer(int serial, Verdict verdict, JSONObject data, const char[] detail)
{
	bool last = serial == s_serial;
	if (last)
	{
		s_serial = 0;
	}
	if (verdict == Verdict_Done)
	{
		Table_Take(data);
		Notices_Take(data);
	}
	else if (verdict == Verdict_Refused)
	{
		Table_Want(false);
		LogError("RBS refused the request for teams: %s", detail);
	}
	// An earlier answer may fit the present players too. If it does not, wait for the last one.
	Scramble_OnTable(last);
}
