// SPDX-License-Identifier: GPL-3.0-or-later
//
// The plugin identifies players by the account number of their SteamID, which fits in one cell. The service gets the
// SteamID64. Its upper half is the same for every person: public universe, individual, desktop.

#define STEAM_INDIVIDUAL 0x01100001

void Id_Write(int account, char[] id, int length)
{
	int number[2];
	number[0] = account;
	number[1] = STEAM_INDIVIDUAL;
	Int64ToString(number, id, length);
}

/** Returns the account of a SteamID64, or 0 if it is invalid. */
int Id_Read(const char[] id)
{
	int number[2];
	StringToInt64(id, number);
	return number[1] == STEAM_INDIVIDUAL ? number[0] : 0;
}

/** Returns the client of an account, or 0 if the player is not on the server. */
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

/** Returns whether the client is a person in the game whose SteamID is known. */
bool Id_IsPlayer(int client)
{
	return g_account[client] != 0 && IsClientInGame(client);
}

bool Id_IsOnTeam(int client)
{
	return Id_IsPlayer(client) && GetClientTeam(client) >= TEAM_A;
}
