// SPDX-License-Identifier: GPL-3.0-or-later
//
// "!prefer red": the team on which a player would rather play. A split says who plays together, and not which team is
// RED. The color that more players prefer is taken, so a preference never costs balance.

// Maximum number of stored preferences; the oldest are dropped. They survive map changes and disconnects.
#define PREFERENCES 256

static ArrayList s_preferred; // account, team

void Prefer_Create()
{
	s_preferred = new ArrayList(2);
}

/** Returns the team that the client prefers, or 0. */
static int Prefer_Of(int client)
{
	int place = g_account[client] == 0 ? -1 : s_preferred.FindValue(g_account[client]);
	return place < 0 ? 0 : s_preferred.Get(place, 1);
}

/** Returns 1 if the client prefers the team, -1 if the client prefers the other team, 0 without a preference. */
int Prefer_Gain(int client, int team)
{
	int wish = Prefer_Of(client);
	return wish == 0 ? 0 : wish == team ? 1 : -1;
}

public Action Prefer_OnCommand(int client, int args)
{
	char wish[16];
	GetCmdArg(1, wish, sizeof(wish));
	if (client == 0 || g_account[client] == 0)
	{
		Chat_Reply(client, "%t", "Only in game");
		return Plugin_Handled;
	}
	int team = StrEqual(wish, "red", false) ? TEAM_RED : StrContains(wish, "blu", false) == 0 ? TEAM_BLU : 0;
	if (team == 0 && !StrEqual(wish, "none", false))
	{
		Chat_Reply(client, "%t", "Prefer usage");
		return Plugin_Handled;
	}
	Prefer_Set(client, team);
	if (team == 0)
	{
		Chat_Reply(client, "%t", "Prefer none");
	}
	else
	{
		Chat_Reply(client, "%t", "Prefer team", Teams_Name(team));
	}
	return Plugin_Handled;
}

static void Prefer_Set(int client, int team)
{
	int place = s_preferred.FindValue(g_account[client]);
	if (place >= 0)
	{
		s_preferred.Erase(place);
	}
	if (team == 0)
	{
		return;
	}
	if (s_preferred.Length >= PREFERENCES)
	{
		s_preferred.Erase(0);
	}
	s_preferred.Set(s_preferred.Push(g_account[client]), team, 1);
}
