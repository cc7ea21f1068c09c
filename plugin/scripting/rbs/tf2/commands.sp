// SPDX-License-Identifier: GPL-3.0-or-later
//
// The commands that scramble, balance and vote. status.sp has the others.

void Commands_Register()
{
	RegAdminCmd("sm_rbs_scramble", Commands_OnScramble, ADMFLAG_GENERIC, "sm_rbs_scramble [now] - scrambles the teams before the next round, or now.");
	RegAdminCmd("sm_rbs_cancel", Commands_OnCancel, ADMFLAG_GENERIC, "Cancels a planned scramble.");
	RegAdminCmd("sm_rbs_reset_votes", Commands_OnResetVotes, ADMFLAG_GENERIC, "Discards the votes for a scramble.");
	RegAdminCmd("sm_rbs_preview", Commands_OnPreview, ADMFLAG_GENERIC, "Shows the teams that a scramble would make now.");
	RegAdminCmd("sm_rbs_balance", Commands_OnBalance, ADMFLAG_GENERIC, "Asks RBS now whether the teams are unbalanced.");
	RegConsoleCmd("sm_odds", Commands_OnOdds, "Shows the win chances of the teams.");
	RegConsoleCmd("sm_votescramble", Vote_OnCommand, "Votes for a scramble.");
	RegConsoleCmd("sm_prefer", Prefer_OnCommand, "sm_prefer <red | blue | none> - the team that you would rather play for.");
	RegConsoleCmd("sm_party", Party_OnCommand, "sm_party [player | leave] - accepts, invites to your party, or leaves.");
}

public Action Commands_OnScramble(int client, int args)
{
	if (!Round_IsOurs())
	{
		Chat_Reply(client, "%t", "State idle");
		return Plugin_Handled;
	}
	char when[8];
	GetCmdArg(1, when, sizeof(when));
	if (args > 0 && !StrEqual(when, "now", false))
	{
		Chat_Reply(client, "%t", "Scramble usage");
		return Plugin_Handled;
	}
	if (args == 0)
	{
		LogAction(client, -1, "\"%L\" asked for a scramble before the next round", client);
		ShowActivity2(client, "[RBS] ", "%t", "Admin scramble");
		Scramble_Due(Reason_Admin);
		return Plugin_Handled;
	}
	LogAction(client, -1, "\"%L\" asked for a scramble now", client);
	ShowActivity2(client, "[RBS] ", "%t", "Admin scramble now");
	if (!Scramble_Now(Reason_Admin))
	{
		Chat_Reply(client, "%t", "Scramble too few");
	}
	return Plugin_Handled;
}

public Action Commands_OnCancel(int client, int args)
{
	if (g_due == Reason_None)
	{
		Chat_Reply(client, "%t", "Nothing is due");
		return Plugin_Handled;
	}
	LogAction(client, -1, "\"%L\" cancelled the scramble", client);
	ShowActivity2(client, "[RBS] ", "%t", "Admin cancel");
	Scramble_Cancel();
	return Plugin_Handled;
}

public Action Commands_OnResetVotes(int client, int args)
{
	LogAction(client, -1, "\"%L\" discarded the votes for a scramble", client);
	ShowActivity2(client, "[RBS] ", "%t", "Admin reset votes");
	Vote_Clear();
	Poll_Cancel();
	return Plugin_Handled;
}

public Action Commands_OnPreview(int client, int args)
{
	int clients[SLOTS], seats[SLOTS];
	int count = Lobby_Find(clients);
	if (!Table_IsThere() || count < 4)
	{
		Chat_Reply(client, "%t", "No table");
		return Plugin_Handled;
	}
	int split = Table_Largest(count);
	bool exact = Seating_Make(split, clients, count, seats);
	int pinned = Pin_Seats(clients, count, seats);
	Commands_ListTeam(client, "RED", TEAM_RED, seats);
	Commands_ListTeam(client, "BLU", TEAM_BLU, seats);
	Commands_ListTeam(client, "-", TEAM_SPECTATOR, seats);
	if (pinned > 0)
	{
		Chat_Reply(client, "%t", "Pinned", pinned);
	}
	else if (exact)
	{
		int percent = Number_Percent(Seating_RedOdds(split));
		Chat_Reply(client, "%t", "Odds", percent, 100 - percent);
	}
	else
	{
		Chat_Reply(client, "%t", "Substitutes");
	}
	return Plugin_Handled;
}

static void Commands_ListTeam(int client, const char[] name, int team, const int seats[SLOTS])
{
	// Fits into one line of chat; further names are cut off.
	char line[200];
	FormatEx(line, sizeof(line), "%s:", name);
	int length = strlen(line);
	bool any = false;
	for (int player = 1; player <= MaxClients; player++)
	{
		if (seats[player] == team)
		{
			length += FormatEx(line[length], sizeof(line) - length, any ? ", %N" : " %N", player);
			any = true;
		}
	}
	if (any)
	{
		Chat_Reply(client, "%s", line);
	}
}

public Action Commands_OnBalance(int client, int args)
{
	if (!Round_IsOurs())
	{
		Chat_Reply(client, "%t", "State idle");
		return Plugin_Handled;
	}
	LogAction(client, -1, "\"%L\" asked for the balance", client);
	if (!Balance_AskOdds(client, true))
	{
		Chat_Reply(client, "%t", "Service is away");
	}
	return Plugin_Handled;
}

public Action Commands_OnOdds(int client, int args)
{
	if (!Round_IsOurs() || !Balance_AskOdds(client, false))
	{
		Chat_Reply(client, "%t", "Service is away");
	}
	return Plugin_Handled;
}
