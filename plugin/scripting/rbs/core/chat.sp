// SPDX-License-Identifier: GPL-3.0-or-later
//
// Chat messages.

#define CHAT_LENGTH 250

/** Sends a message to everybody, each in their language, unless rbs_chat is 0. The format is "%t". */
stock void Chat_All(const char[] format, any ...)
{
	if (!g_cvChat.BoolValue)
	{
		return;
	}
	char text[CHAT_LENGTH];
	for (int client = 1; client <= MaxClients; client++)
	{
		if (IsClientInGame(client) && !IsFakeClient(client))
		{
			SetGlobalTransTarget(client);
			VFormat(text, sizeof(text), format, 2);
			PrintToChat(client, "\x04[RBS]\x01 %s", text);
		}
	}
}

/** Sends a message to one player, whatever rbs_chat is. `client` must be in the game. */
void Chat_One(int client, const char[] format, any ...)
{
	if (IsFakeClient(client))
	{
		return;
	}
	char text[CHAT_LENGTH];
	SetGlobalTransTarget(client);
	VFormat(text, sizeof(text), format, 3);
	PrintToChat(client, "\x04[RBS]\x01 %s", text);
}

/** Answers a command in chat or on the console, depending on where it came from. */
void Chat_Reply(int client, const char[] format, any ...)
{
	char text[CHAT_LENGTH];
	SetGlobalTransTarget(client);
	VFormat(text, sizeof(text), format, 3);
	ReplyToCommand(client, "[RBS] %s", text);
}
