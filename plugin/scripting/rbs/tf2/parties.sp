// SPDX-License-Identifier: GPL-3.0-or-later
//
// Parties of friends who want to be on the same team: "!party name" invites, "!party" accepts, "!party leave" leaves.
// Both players must agree, so that nobody can bind a stranger to themselves.

// Maximum number of stored memberships; the oldest are dropped. They survive map changes and disconnects.
#define MEMBERSHIPS 256

static ArrayList s_members;     // account, number of the party
static int s_invited[SLOTS];    // user id of the last player who invited this client
static int s_next;

void Party_Create()
{
	s_members = new ArrayList(2);
}

void Party_ForgetInvitation(int client)
{
	s_invited[client] = 0;
}

/** Returns the number of the client's party, or 0. */
static int Party_Of(int client)
{
	int place = g_account[client] == 0 ? -1 : s_members.FindValue(g_account[client]);
	return place < 0 ? 0 : s_members.Get(place, 1);
}

/** Writes the label of the client's party. Returns whether the client has a party. */
bool Party_Label(int client, char[] label, int length)
{
	int party = Party_Of(client);
	FormatEx(label, length, "party-%d", party);
	return party != 0;
}

/** Puts a client into the party of another client. */
void Party_Join(int client, int other)
{
	if (g_account[client] == 0 || g_account[other] == 0)
	{
		return;
	}
	if (Party_Of(other) == 0)
	{
		Party_Set(other, ++s_next);
	}
	Party_Set(client, Party_Of(other));
}

static void Party_Set(int client, int party)
{
	Party_Leave(client);
	if (s_members.Length >= MEMBERSHIPS)
	{
		s_members.Erase(0);
	}
	s_members.Set(s_members.Push(g_account[client]), party, 1);
}

void Party_Leave(int client)
{
	int place = g_account[client] == 0 ? -1 : s_members.FindValue(g_account[client]);
	if (place >= 0)
	{
		s_members.Erase(place);
	}
}

public Action Party_OnCommand(int client, int args)
{
	if (client == 0)
	{
		Chat_Reply(client, "%t", "Only in game");
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
		Chat_Reply(client, "%t", "Party left");
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
		// FindTarget has already printed the reason.
		return;
	}
	if (other == client || g_account[client] == 0 || g_account[other] == 0)
	{
		Chat_Reply(client, "%t", "Party not with", other);
		return;
	}
	s_invited[other] = GetClientUserId(client);
	Chat_Reply(client, "%t", "Party invited", other);
	Chat_One(other, "%t", "Party invitation", client);
}

static void Party_Accept(int client)
{
	int other = s_invited[client] == 0 ? 0 : GetClientOfUserId(s_invited[client]);
	s_invited[client] = 0;
	if (other == 0)
	{
		Chat_Reply(client, "%t", "Party how");
		return;
	}
	Party_Join(client, other);
	Chat_Reply(client, "%t", "Party joined", other);
	Chat_One(other, "%t", "Party joined", client);
}
