// SPDX-License-Identifier: GPL-3.0-or-later
//
// "!rank" and "!top": a player's rank and the first players of the leaderboard, with a link to the public page.

#define TOP_PLAYERS 5

static bool s_wantsRank[SLOTS]; // the client waits for the answer to !rank
static bool s_wantsTop[SLOTS];  // the client waits for the answer to !top

void Ranks_Forget(int client)
{
	s_wantsRank[client] = false;
	s_wantsTop[client] = false;
}

public Action Ranks_OnRank(int client, int args)
{
	if (!Ranks_MayAsk(client))
	{
		return Plugin_Handled;
	}
	JSONObject body = new JSONObject();
	JSONArray players = new JSONArray();
	Json_PushAccount(players, g_account[client]);
	body.SetString("server", g_server);
	body.Set("players", players);
	s_wantsRank[client] = true;
	Http_Post(Request_Rank, "/v1/players", body, g_cvTimeout.IntValue);
	delete players;
	delete body;
	return Plugin_Handled;
}

public Action Ranks_OnTop(int client, int args)
{
	if (Ranks_MayAsk(client))
	{
		char path[128];
		FormatEx(path, sizeof(path), "/v1/leaderboard?server=%s&limit=%d", g_server, TOP_PLAYERS);
		s_wantsTop[client] = true;
		Http_Get(Request_Top, path, g_cvTimeout.IntValue);
	}
	return Plugin_Handled;
}

/** Returns whether the client may ask the service, and else tells the client why not. */
static bool Ranks_MayAsk(int client)
{
	if (client == 0 || !Id_IsPlayer(client))
	{
		Chat_Reply(client, "%t", "Only in game");
		return false;
	}
	if (!Service_MayAsk())
	{
		Chat_Reply(client, "%t", "Service is away");
		return false;
	}
	return !s_wantsRank[client] && !s_wantsTop[client];
}

void Ranks_OnRankAnswer(Verdict verdict, JSONObject data)
{
	JSONArray players = verdict == Verdict_Done ? Json_Array(data, "players") : null;
	if (players != null)
	{
		Players_TakeList(players);
		delete players;
	}
	char text[CHAT_LENGTH], link[192], id[ID_LENGTH];
	bool linked = Ranks_Link(link, sizeof(link));
	for (int client = 1; client <= MaxClients; client++)
	{
		if (!s_wantsRank[client] || !Id_IsPlayer(client))
		{
			continue;
		}
		s_wantsRank[client] = false;
		Players_FormatRating(client, client, text, sizeof(text));
		Chat_One(client, "%s", text);
		if (linked)
		{
			Id_Write(g_account[client], id, sizeof(id));
			Chat_One(client, "%s&search=%s", link, id);
		}
	}
}

void Ranks_OnTopAnswer(Verdict verdict, JSONObject data)
{
	JSONArray players = verdict == Verdict_Done ? Json_Array(data, "players") : null;
	for (int client = 1; client <= MaxClients; client++)
	{
		if (s_wantsTop[client] && Id_IsPlayer(client))
		{
			Ranks_Tell(client, players);
		}
		s_wantsTop[client] = false;
	}
	if (players != null)
	{
		delete players;
	}
}

static void Ranks_Tell(int client, JSONArray players)
{
	if (players == null)
	{
		Chat_One(client, "%t", "Service is away");
		return;
	}
	if (players.Length == 0)
	{
		Chat_One(client, "%t", "Top is empty");
	}
	char name[64], link[192];
	for (int i = 0; i < players.Length && i < TOP_PLAYERS; i++)
	{
		JSONObject player = view_as<JSONObject>(players.Get(i));
		if (!Json_String(player, "name", name, sizeof(name)))
		{
			Json_String(player, "id", name, sizeof(name));
		}
		Chat_One(client, "%t", "Top player", Json_Int(player, "rank"), name, Json_Int(player, "rating"));
		delete player;
	}
	if (Ranks_Link(link, sizeof(link)))
	{
		Chat_One(client, "%s", link);
	}
}

/** Writes the address of the public leaderboard. Returns whether rbs_page names one. */
static bool Ranks_Link(char[] link, int length)
{
	char page[128], pool[65];
	g_cvPage.GetString(page, sizeof(page));
	TrimString(page);
	Hello_Pool(pool, sizeof(pool));
	int end = strlen(page);
	if (end > 0 && page[end - 1] == '/')
	{
		page[end - 1] = '\0';
	}
	FormatEx(link, length, "%s/leaderboard?pool=%s", page, pool);
	return page[0] != '\0' && pool[0] != '\0';
}
