// SPDX-License-Identifier: GPL-3.0-or-later
//
// The accounts and ratings of the players on the server.

#define AGAIN_SECONDS 30.0

static bool s_unknown[SLOTS]; // rating must be requested
static bool s_greeted[SLOTS]; // has seen their rating since they joined
static Handle s_timer;

void Players_Forget(int client)
{
	g_account[client] = 0;
	g_rating[client] = UNKNOWN_RATING;
	g_rounds[client] = 0;
	g_untilVisible[client] = 0;
	g_rank[client] = 0;
	g_visible[client] = false;
	g_division[client][0] = '\0';
	s_unknown[client] = false;
	Ranks_Forget(client);
	s_greeted[client] = false;
	Part_ForgetClient(client);
}

/** Steam has confirmed the client's identity. */
void Players_OnAuthorized(int client)
{
	if (IsFakeClient(client))
	{
		return;
	}
	int account = GetSteamAccountID(client);
	if (account == 0)
	{
		return;
	}
	g_account[client] = account;
	g_rating[client] = UNKNOWN_RATING;
	Part_OnAuthorized(client);
	s_unknown[client] = true;
	if (s_timer == null)
	{
		// Many players join at once when a map starts, so collect them.
		s_timer = CreateTimer(1.0, Players_OnTimer);
	}
	if (IsClientInGame(client))
	{
		Seats_Join(client, GetClientTeam(client));
	}
}

public Action Players_OnTimer(Handle timer)
{
	s_timer = null;
	JSONArray players = new JSONArray();
	for (int client = 1; client <= MaxClients; client++)
	{
		if (s_unknown[client] && g_account[client] != 0 && players.Length < LOBBY)
		{
			Players_Push(players, client);
		}
	}
	if (players.Length > 0 && Service_MayAsk())
	{
		JSONObject body = new JSONObject();
		body.SetString("server", g_server);
		body.Set("players", players);
		Http_Post(Request_Players, "/v1/players", body, g_cvTimeout.IntValue);
		delete body;
	}
	delete players;
	return Plugin_Stop;
}

/** Requests the ratings of all players, because they may be out of date. */
void Players_AskAll()
{
	for (int client = 1; client <= MaxClients; client++)
	{
		s_unknown[client] = g_account[client] != 0;
	}
	if (s_timer == null)
	{
		s_timer = CreateTimer(1.0, Players_OnTimer);
	}
}

void Players_OnAnswer(Verdict verdict, JSONObject data)
{
	JSONArray players = verdict == Verdict_Done ? Json_Array(data, "players") : null;
	if (players != null)
	{
		Players_TakeList(players);
		delete players;
	}
	else if (verdict == Verdict_Later && s_timer == null)
	{
		s_timer = CreateTimer(AGAIN_SECONDS, Players_OnTimer);
	}
}

/** Returns a new list of all players on the server. */
JSONArray Players_List()
{
	JSONArray players = new JSONArray();
	for (int client = 1; client <= MaxClients; client++)
	{
		if (g_account[client] != 0 && players.Length < LOBBY)
		{
			Players_Push(players, client);
		}
	}
	return players;
}

/**
 * Adds a player with the current name. Names are sent when a player joins and when a map starts, but not with each
 * round, which would repeat them. The service removes invisible characters.
 */
static void Players_Push(JSONArray players, int client)
{
	char id[ID_LENGTH], name[MAX_NAME_LENGTH];
	Id_Write(g_account[client], id, sizeof(id));
	JSONObject player = new JSONObject();
	player.SetString("id", id);
	if (IsClientConnected(client) && GetClientName(client, name, sizeof(name)))
	{
		// SetString rejects invalid UTF-8. GetClientName cuts a long name between two characters.
		player.SetString("name", name);
	}
	players.Push(player);
	delete player;
}

void Players_TakeList(JSONArray players)
{
	char id[ID_LENGTH];
	for (int i = 0; i < players.Length; i++)
	{
		JSONObject player = view_as<JSONObject>(players.Get(i));
		Json_String(player, "id", id, sizeof(id));
		int client = Id_Client(Id_Read(id));
		if (client != 0)
		{
			s_unknown[client] = false;
			g_rating[client] = Json_Int(player, "rating", UNKNOWN_RATING);
			g_rounds[client] = Json_Int(player, "rounds");
			g_visible[client] = Json_Bool(player, "visible");
			g_untilVisible[client] = Json_Int(player, "rounds_until_visible");
			g_rank[client] = Json_Int(player, "rank");
			Json_String(player, "division", g_division[client], sizeof(g_division[]));
			Players_Greet(client);
		}
		delete player;
	}
}

static void Players_Greet(int client)
{
	if (s_greeted[client] || !IsClientInGame(client))
	{
		return;
	}
	s_greeted[client] = true;
	if (g_cvChat.BoolValue && Round_IsOurs())
	{
		char text[CHAT_LENGTH];
		Players_FormatRating(client, client, text, sizeof(text));
		Chat_One(client, "%s", text);
	}
}

/** Takes the new ratings after a round. */
void Players_TakeRound(JSONObject data)
{
	JSONArray players = Json_Array(data, "players");
	if (players == null)
	{
		return;
	}
	char id[ID_LENGTH];
	for (int i = 0; i < players.Length; i++)
	{
		JSONObject player = view_as<JSONObject>(players.Get(i));
		Json_String(player, "id", id, sizeof(id));
		int client = Id_Client(Id_Read(id));
		if (client != 0)
		{
			Players_TakeChange(client, player);
		}
		delete player;
	}
	delete players;
	Part_OnRatings();
}

static void Players_TakeChange(int client, JSONObject player)
{
	int rating = Json_Int(player, "rating", UNKNOWN_RATING);
	int rounds = Json_Int(player, "rounds");
	int delta = Json_Int(player, "delta");
	bool visible = Json_Bool(player, "visible");
	bool shown = visible && !g_visible[client] && g_rating[client] != UNKNOWN_RATING;
	// Count down the rounds until the rating is shown.
	g_untilVisible[client] = visible || g_untilVisible[client] == 0 ? 0 : g_untilVisible[client] - (rounds - g_rounds[client]);
	g_rating[client] = rating;
	g_rounds[client] = rounds;
	g_visible[client] = visible;
	Part_OnRating(client, rating, delta);
	if (!IsClientInGame(client) || !g_cvChat.BoolValue)
	{
		return;
	}
	if (shown)
	{
		Chat_One(client, "%t", "Rating is shown now", rating);
	}
	else if (visible)
	{
		Chat_One(client, "%t", delta < 0 ? "Rating fell" : "Rating rose", rating, delta < 0 ? -delta : delta);
	}
}

/** Writes a player's rating in the language of the asker. Does not reveal a hidden rating. */
void Players_FormatRating(int asker, int player, char[] text, int length)
{
	SetGlobalTransTarget(asker);
	if (g_rating[player] == UNKNOWN_RATING)
	{
		FormatEx(text, length, "%t", "Rating is not known", player);
	}
	else if (!g_visible[player])
	{
		FormatEx(text, length, "%t", "Rating is hidden", player, g_untilVisible[player]);
	}
	else if (g_division[player][0] != '\0')
	{
		FormatEx(text, length, "%t", "Rating with division", player, g_rating[player], g_division[player], g_rank[player]);
	}
	else if (g_rank[player] > 0)
	{
		FormatEx(text, length, "%t", "Rating with rank", player, g_rating[player], g_rank[player]);
	}
	else
	{
		FormatEx(text, length, "%t", "Rating", player, g_rating[player]);
	}
}
