// SPDX-License-Identifier: GPL-3.0-or-later
//
// A vote for a scramble in a menu: everybody chooses yes or no. With the plugin NativeVotes the menu is the game's own
// vote panel (native_poll.sp).

#define POLL_SECONDS 20

static bool s_open; // this plugin's vote is running

void Poll_Cancel()
{
	if (!s_open)
	{
		return;
	}
	if (NativePoll_IsThere())
	{
		NativeVotes_Cancel();
	}
	else
	{
		CancelVote();
	}
}

/** Opens the menu for the players of the next round. */
void Poll_Start(int client)
{
	int clients[SLOTS];
	int count = Lobby_Find(clients);
	bool started = NativePoll_IsThere() ? NativePoll_Start(client, clients, count) : Poll_Open(clients, count);
	if (!started)
	{
		Chat_Reply(client, "%t", "Vote is running");
		return;
	}
	s_open = true;
	Log_Done("%L started a vote for a scramble.", client);
	Chat_All("%t", "Poll is open", client);
}

/** Opens SourceMod's menu. Returns whether the vote runs. */
static bool Poll_Open(int[] clients, int count)
{
	if (IsVoteInProgress())
	{
		return false;
	}
	Menu menu = new Menu(Poll_OnAction, MENU_ACTIONS_DEFAULT | MenuAction_Display | MenuAction_DisplayItem | MenuAction_VoteEnd | MenuAction_VoteCancel);
	menu.SetTitle("%T", "Poll title", LANG_SERVER);
	menu.AddItem("yes", "Poll yes");
	menu.AddItem("no", "Poll no");
	menu.ExitButton = false;
	if (!menu.DisplayVote(clients, count, POLL_SECONDS))
	{
		delete menu;
		return false;
	}
	return true;
}

public int Poll_OnAction(Menu menu, MenuAction action, int first, int second)
{
	char text[64], info[8];
	switch (action)
	{
		case MenuAction_Display:
		{
			FormatEx(text, sizeof(text), "%T", "Poll title", first);
			view_as<Panel>(second).SetTitle(text);
		}
		case MenuAction_DisplayItem:
		{
			menu.GetItem(second, info, sizeof(info));
			FormatEx(text, sizeof(text), "%T", StrEqual(info, "yes") ? "Poll yes" : "Poll no", first);
			return RedrawMenuItem(text);
		}
		case MenuAction_VoteEnd:
		{
			int votes, total;
			GetMenuVoteInfo(second, votes, total);
			menu.GetItem(first, info, sizeof(info));
			Poll_End(StrEqual(info, "yes") ? votes : total - votes, total);
		}
		case MenuAction_VoteCancel:
		{
			Poll_OnCancel(first);
		}
		case MenuAction_End:
		{
			Poll_Closed();
			delete menu;
		}
	}
	return 0;
}

void Poll_Closed()
{
	s_open = false;
}

void Poll_OnCancel(int reason)
{
	if (reason == VoteCancel_NoVotes)
	{
		Poll_End(0, 0);
	}
}

/** Returns whether enough players voted for a scramble: of those who voted, and half as many as a vote in chat needs. */
bool Poll_End(int yes, int total)
{
	s_open = false;
	int needed = Vote_Needed(total), least = (Vote_Needed(Lobby_Count()) + 1) / 2;
	needed = needed < least ? least : needed;
	if (yes >= needed && g_due == Reason_None)
	{
		Vote_Succeed();
	}
	else if (g_due == Reason_None)
	{
		Vote_Fail();
		Chat_All("%t", "Poll failed", yes, total, needed);
	}
	return yes >= needed;
}
