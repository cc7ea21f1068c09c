// SPDX-License-Identifier: GPL-3.0-or-later
//
// The first request of a map. It sends the server's name, map and mode; the answer shows whether the settings are right.

static int s_asker;            // user id of the admin who ran sm_rbs_check, 0 for the console
static bool s_isAsked;         // sm_rbs_check waits for the answer
static ReplySource s_source;

static char s_pool[65];
static char s_policy[65];
static bool s_declared;

void Hello_Ask()
{
	if (!g_configured || !g_cvEnabled.BoolValue || !Config_IsComplete())
	{
		return;
	}
	JSONObject body = new JSONObject();
	body.SetString("server", g_server);
	if (g_map[0] != '\0')
	{
		body.SetString("map", g_map);
	}
	char mode[16];
	Part_Mode(mode, sizeof(mode));
	body.SetString("mode", mode);
	body.SetString("plugin", PLUGIN_VERSION);
	body.SetString("seats", "letters");
	JSONArray players = Players_List();
	body.Set("players", players);
	delete players;
	Notices_Give(body);
	Http_Post(Request_Hello, "/v1/hello", body, g_cvTimeout.IntValue);
	delete body;
}

/** Sends the request for sm_rbs_check and remembers who gets the result. */
void Hello_Check(int client)
{
	s_isAsked = true;
	s_asker = client == 0 ? 0 : GetClientUserId(client);
	s_source = GetCmdReplySource();
	Hello_Ask();
}

void Hello_OnAnswer(Verdict verdict, JSONObject data, const char[] detail)
{
	char server[SERVER_LENGTH];
	Json_String(data, "server", server, sizeof(server));
	if (verdict == Verdict_Done && !StrEqual(server, g_server))
	{
		// JSON from another service, or an answer for this server's previous name.
		verdict = Verdict_Wrong;
	}
	if (verdict == Verdict_Done)
	{
		Hello_Take(data);
	}
	else if (verdict == Verdict_Refused)
	{
		LogError("RBS rejected the request of this plugin (%s): %s", PLUGIN_VERSION, detail);
	}
	int client = s_asker == 0 ? 0 : GetClientOfUserId(s_asker);
	bool asked = s_isAsked && (client != 0 || s_asker == 0);
	s_isAsked = false;
	if (asked)
	{
		ReplySource before = SetCmdReplySource(s_source);
		Check_Tell(client, verdict, data, detail);
		SetCmdReplySource(before);
	}
}

static void Hello_Take(JSONObject data)
{
	Json_String(data, "pool", s_pool, sizeof(s_pool));
	Json_String(data, "policy", s_policy, sizeof(s_policy));
	bool declared = Json_Bool(data, "declared");
	if (!declared && !s_isAsked)
	{
		Log_Done("The RBS configuration does not list the server \"%s\". It is rated in the pool \"%s\". If this is wrong, correct rbs_server.", g_server, s_pool);
	}
	s_declared = declared;
	if (Check_IsTooOld(data))
	{
		LogError("This plugin (%s) is too old for RBS. Install the plugin from the same release as RBS.", PLUGIN_VERSION);
	}
	JSONArray players = Json_Array(data, "players");
	if (players != null)
	{
		Players_TakeList(players);
		delete players;
	}
	Part_OnHello(data);
	Notices_Take(data);
}

void Hello_Pool(char[] pool, int length)
{
	strcopy(pool, length, s_pool);
}

bool Hello_IsDeclared()
{
	return s_declared;
}

void Hello_Policy(char[] policy, int length)
{
	strcopy(policy, length, s_policy);
}
