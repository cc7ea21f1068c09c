// SPDX-License-Identifier: GPL-3.0-or-later
//
// Friends who want to be on one team: "!party name" invites, "!party" accepts, "!party leave" leaves. Both have to
// agree, so that nobody ties a stranger to themselves.

// So many memberships are kept, the latest: they last over maps, whoever is here.
#define MEMBERSHIPS 256

static ArrayList s_members;     // account, number of the party
static int s_invited[SLOTS];    // the user id of whoever has invited this client last
static int s_next;

void Party_Create()
{
	s_members = new ArrayList(2);
}

void Party_ForgetInvitation(int client)
{
	s_invited[client] = 0;
}

/** 0 for none. */
static int Party_Of(int client)
{
	int place = g_account[client] == 0 ? -1 : s_members.FindValue(g_account[client]);
	return place < 0 ? 0 : s_members.Get(place, 1);
}

/** Writes the label of the party of this client. Says whether there is one. */
bool Party_Label(int client, char[] label, int length)
{
	int party = Party_Of(client);
	FormatEx(label, length, "party-%d", party);
	return party != 0;
}

/** Puts one into the party of another one: for players who agree, and for other plugins. */
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
		// FindTarget has said why.
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
