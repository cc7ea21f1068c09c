// SPDX-License-Identifier: GPL-3.0-or-later
//
// What players read in chat.

#define CHAT_LENGTH 250

/** To everybody in chat, each in their language, unless rbs_chat is off. The format is "%t". */
void Chat_All(const char[] format, any ...)
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

/** To one player in chat, who has asked for it or has to know it; `client` must be in the game. */
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

/** The answer to a command, in chat or on the console, wherever it came from. */
void Chat_Reply(int client, const char[] format, any ...)
{
	char text[CHAT_LENGTH];
	SetGlobalTransTarget(client);
	VFormat(text, sizeof(text), format, 3);
	ReplyToCommand(client, "[RBS] %s", text);
}
