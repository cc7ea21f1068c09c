// SPDX-License-Identifier: GPL-3.0-or-later
//
// Players are distinguished by the account number of their SteamID, one cell, and sent by their SteamID64. The upper
// half of a SteamID64 is the same for every person: public universe, individual, desktop.

#define STEAM_INDIVIDUAL 0x01100001

void Id_Write(int account, char[] id, int length)
{
	int number[2];
	number[0] = account;
	number[1] = STEAM_INDIVIDUAL;
	Int64ToString(number, id, length);
}

/** The account of a SteamID64; 0 for what is none. */
int Id_Read(const char[] id)
{
	int number[2];
	StringToInt64(id, number);
	return number[1] == STEAM_INDIVIDUAL ? number[0] : 0;
}

/** The client of an account, 0 where that player is not here. */
int Id_Client(int account)
{
	for (int client = 1; account != 0 && client <= MaxClients; client++)
	{
		if (g_account[client] == account)
		{
			return client;
		}
	}
	return 0;
}

/** A person in the game whose SteamID is known. */
bool Id_IsPlayer(int client)
{
	return g_account[client] != 0 && IsClientInGame(client);
}

bool Id_IsOnTeam(int client)
{
	return Id_IsPlayer(client) && GetClientTeam(client) >= TEAM_RED;
}
