// SPDX-License-Identifier: GPL-3.0-or-later
//
// Friends who want to be on one team: "!party name" invites, "!party" accepts, "!party leave" leaves. Both have to
// agree, so that nobody ties a stranger to themselves.

static int s_party[MAXPLAYERS + 1];   // the number of the party, 0 for none
static int s_invited[MAXPLAYERS + 1]; // the user id of whoever has invited this client last
static int s_next;

void Party_Forget(int client)
{
	Party_Leave(client);
	s_invited[client] = 0;
}

/** Writes the label of the party of this client. Says whether there is one. */
bool Party_Label(int client, char[] label, int length)
{
	if (s_party[client] == 0)
	{
		return false;
	}
	FormatEx(label, length, "party-%d", s_party[client]);
	return true;
}

/** Puts two into one party: for players who agree, and for other plugins. */
void Party_Join(int client, int other)
{
	if (s_party[other] == 0)
	{
		s_party[other] = ++s_next;
	}
	if (s_party[client] != s_party[other])
	{
		Party_Leave(client);
		s_party[client] = s_party[other];
	}
}

void Party_Leave(int client)
{
	int party = s_party[client];
	s_party[client] = 0;
	int left = 0, last = 0;
	for (int other = 1; party != 0 && other <= MaxClients; other++)
	{
		if (s_party[other] == party)
		{
			left++;
			last = other;
		}
	}
	if (left == 1)
	{
		s_party[last] = 0;
	}
}

public Action Party_OnCommand(int client, int args)
{
	if (client == 0)
	{
		Tell_Reply(client, "%t", "Only in game");
		return Plugin_Handled;
	}
	char name[MAX_NAME_LENGTH];
	GetCmdArgString(name, sizeof(name));
	StripQuotes(name);
	TrimString(name);
	if (name[0] == '\0')
	{
		Party_Accept(client);
	}
	else if (StrEqual(name, "leave", false))
	{
		Party_Leave(client);
		Tell_Reply(client, "%t", "Party left");
	}
	else
	{
		Party_Invite(client, name);
	}
	return Plugin_Handled;
}

static void Party_Invite(int client, const char[] name)
{
	int other = FindTarget(client, name, true, false);
	if (other <= 0)
	{
		// FindTarget has said why.
		return;
	}
	if (other == client || g_account[client] == 0 || g_account[other] == 0)
	{
		Tell_Reply(client, "%t", "Party not with", other);
		return;
	}
	s_invited[other] = GetClientUserId(client);
	Tell_Reply(client, "%t", "Party invited", other);
	Tell_One(other, "%t", "Party invitation", client);
}

static void Party_Accept(int client)
{
	int other = s_invited[client] == 0 ? 0 : GetClientOfUserId(s_invited[client]);
	s_invited[client] = 0;
	if (other == 0)
	{
		Tell_Reply(client, "%t", "Party how");
		return;
	}
	Party_Join(client, other);
	Tell_Reply(client, "%t", "Party joined", other);
	Tell_One(other, "%t", "Party joined", client);
}
