// SPDX-License-Identifier: GPL-3.0-or-later
//
// The commands of every build. An override with the name of an admin command can give it to other admins.

void Status_Register()
{
	RegAdminCmd("sm_rbs", Status_OnState, ADMFLAG_GENERIC, "Shows the state of the plugin.");
	RegAdminCmd("sm_rbs_check", Status_OnCheck, ADMFLAG_GENERIC, "Checks the connection to RBS and the settings, and lists problems.");
	RegAdminCmd("sm_rbs_rating", Status_OnPlayerRating, ADMFLAG_GENERIC, "sm_rbs_rating <player> - shows a player's rating, hidden or not.");
	RegAdminCmd("sm_rbs_void", Void_OnCommand, ADMFLAG_RCON, "sm_rbs_void <reason> - voids the last round, if RBS allows game servers to do that.");
	RegAdminCmd("sm_rbs_flush", Status_OnFlush, ADMFLAG_RCON, "Sends the waiting rounds to RBS now.");
	RegConsoleCmd("sm_rating", Status_OnRating, "sm_rating [player] - shows your or a player's rating.");
	RegConsoleCmd("sm_rank", Ranks_OnRank, "Shows your rating and rank, with a link to the leaderboard.");
	RegConsoleCmd("sm_top", Ranks_OnTop, "Shows the first players of the leaderboard.");
}

public Action Status_OnState(int client, int args)
{
	char server[SERVER_LENGTH], pool[65], why[256];
	strcopy(server, sizeof(server), g_server[0] == '\0' ? "-" : g_server);
	Hello_Pool(pool, sizeof(pool));
	Chat_Reply(client, "%t", "State server", PLUGIN_VERSION, server, pool[0] == '\0' ? "-" : pool);
	static const char health[][] = {"Health unknown", "Health up", "Health away", "Health denied", "Health wrong"};
	Chat_Reply(client, "%t", "State service", health[Service_Health()]);
	Service_Why(why, sizeof(why));
	if (why[0] != '\0')
	{
		Chat_Reply(client, "%s", why);
	}
	Chat_Reply(client, "%t", "State queue", Queue_Length(), g_cvQueue.IntValue);
	Part_TellState(client);
	if (!Round_IsOurs())
	{
		Chat_Reply(client, "%t", "State idle");
	}
	return Plugin_Handled;
}

public Action Status_OnCheck(int client, int args)
{
	char name[16];
	Config_Apply();
	Config_Missing(name, sizeof(name));
	if (name[0] != '\0')
	{
		Chat_Reply(client, "%t", "Check missing", name);
		return Plugin_Handled;
	}
	Chat_Reply(client, "%t", "Check asks");
	Hello_Check(client);
	Send_Soon();
	return Plugin_Handled;
}

public Action Status_OnFlush(int client, int args)
{
	LogAction(client, -1, "\"%L\" sent the waiting rounds", client);
	Config_Apply();
	Chat_Reply(client, "%t", "Flush", Queue_Length());
	Send_Soon();
	return Plugin_Handled;
}

public Action Status_OnPlayerRating(int client, int args)
{
	char name[MAX_NAME_LENGTH];
	GetCmdArgString(name, sizeof(name));
	StripQuotes(name);
	TrimString(name);
	if (name[0] == '\0')
	{
		Chat_Reply(client, "%t", "Rating usage");
		return Plugin_Handled;
	}
	int player = FindTarget(client, name, true, false);
	if (player > 0)
	{
		char phrase[32];
		strcopy(phrase, sizeof(phrase), g_rating[player] == UNKNOWN_RATING ? "Rating is not known" : "Rating for admins");
		Chat_Reply(client, "%t", phrase, player, g_rating[player], g_rounds[player]);
	}
	return Plugin_Handled;
}

public Action Status_OnRating(int client, int args)
{
	char name[MAX_NAME_LENGTH], text[CHAT_LENGTH];
	GetCmdArgString(name, sizeof(name));
	StripQuotes(name);
	TrimString(name);
	int player = client;
	if (name[0] != '\0')
	{
		player = FindTarget(client, name, true, false);
	}
	else if (client == 0)
	{
		Chat_Reply(client, "%t", "Only in game");
	}
	if (player > 0)
	{
		Players_FormatRating(client, player, text, sizeof(text));
		Chat_Reply(client, "%s", text);
	}
	return Plugin_Handled;
}
