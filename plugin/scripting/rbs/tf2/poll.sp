// SPDX-License-Identifier: GPL-3.0-or-later
//
// A vote for a scramble in a menu: everybody chooses yes or no.

#define POLL_SECONDS 20

static bool s_open; // this plugin's menu is the running vote

void Poll_Cancel()
{
	if (s_open)
	{
		CancelVote();
	}
}

/** Opens the menu for the players of the next round. */
void Poll_Start(int client)
{
	if (IsVoteInProgress())
	{
		Chat_Reply(client, "%t", "Vote is running");
		return;
	}
	int clients[SLOTS];
	int count = Lobby_Find(clients);
	Menu menu = new Menu(Poll_OnAction, MENU_ACTIONS_DEFAULT | MenuAction_Display | MenuAction_DisplayItem | MenuAction_VoteEnd | MenuAction_VoteCancel);
	menu.SetTitle("%T", "Poll title", LANG_SERVER);
	menu.AddItem("yes", "Poll yes");
	menu.AddItem("no", "Poll no");
	menu.ExitButton = false;
	if (!menu.DisplayVote(clients, count, POLL_SECONDS))
	{
		delete menu;
		Chat_Reply(client, "%t", "Vote is running");
		return;
	}
	s_open = true;
	Log_Done("%L started a vote for a scramble.", client);
	Chat_All("%t", "Poll is open", client);
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
			if (first == VoteCancel_NoVotes)
			{
				Poll_End(0, 0);
			}
		}
		case MenuAction_End:
		{
			s_open = false;
			delete menu;
		}
	}
	return 0;
}

static void Poll_End(int yes, int total)
{
	if (g_due != Reason_None)
	{
		return;
	}
	if (total > 0 && yes >= Vote_Needed(total))
	{
		Vote_Succeed();
	}
	else
	{
		Vote_Fail();
		Chat_All("%t", "Poll failed", yes, total, Vote_Needed(total));
	}
}
