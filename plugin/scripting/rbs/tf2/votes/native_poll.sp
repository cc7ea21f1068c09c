// SPDX-License-Identifier: GPL-3.0-or-later
//
// A vote for a scramble in the game's own vote panel, with the plugin NativeVotes, if it is loaded. The panel's text is
// the game's, in each player's language.

// Values of NativeVotes: its vote types, the item for yes, and its reasons for a failure.
#define NATIVE_SCRAMBLE_NOW 16
#define NATIVE_SCRAMBLE_END 17
#define NATIVE_YES 0
#define NATIVE_GENERIC 0
#define NATIVE_LOSES 3

native Handle NativeVotes_Create(MenuHandler handler, int type, MenuAction actions);
native void NativeVotes_Close(Handle vote);
native void NativeVotes_SetInitiator(Handle vote, int client);
native bool NativeVotes_IsVoteInProgress();
native bool NativeVotes_Display(Handle vote, int[] clients, int count, int seconds, int flags = 0);
native void NativeVotes_DisplayPass(Handle vote, const char[] format = "", any ...);
native void NativeVotes_DisplayFail(Handle vote, int reason = NATIVE_GENERIC);
native void NativeVotes_Cancel();

/** Lets the plugin load without NativeVotes. */
void NativePoll_Allow()
{
	MarkNativeAsOptional("NativeVotes_Create");
	MarkNativeAsOptional("NativeVotes_Close");
	MarkNativeAsOptional("NativeVotes_SetInitiator");
	MarkNativeAsOptional("NativeVotes_IsVoteInProgress");
	MarkNativeAsOptional("NativeVotes_Display");
	MarkNativeAsOptional("NativeVotes_DisplayPass");
	MarkNativeAsOptional("NativeVotes_DisplayFail");
	MarkNativeAsOptional("NativeVotes_Cancel");
}

bool NativePoll_IsThere()
{
	return LibraryExists("nativevotes");
}

/** Opens the panel. Returns whether the vote runs. */
bool NativePoll_Start(int client, int[] clients, int count)
{
	if (NativeVotes_IsVoteInProgress())
	{
		return false;
	}
	int type = g_cvVoteNow.BoolValue ? NATIVE_SCRAMBLE_NOW : NATIVE_SCRAMBLE_END;
	Handle vote = NativeVotes_Create(NativePoll_OnAction, type, MenuAction_VoteEnd | MenuAction_VoteCancel | MenuAction_End);
	if (vote == null)
	{
		return false;
	}
	NativeVotes_SetInitiator(vote, client);
	if (!NativeVotes_Display(vote, clients, count, POLL_SECONDS))
	{
		NativeVotes_Close(vote);
		return false;
	}
	return true;
}

public int NativePoll_OnAction(Menu vote, MenuAction action, int first, int second)
{
	switch (action)
	{
		case MenuAction_VoteEnd:
		{
			int votes, total;
			GetMenuVoteInfo(second, votes, total);
			if (Poll_End(first == NATIVE_YES ? votes : total - votes, total))
			{
				NativeVotes_DisplayPass(vote);
			}
			else
			{
				NativeVotes_DisplayFail(vote, NATIVE_LOSES);
			}
		}
		case MenuAction_VoteCancel:
		{
			NativeVotes_DisplayFail(vote);
			Poll_OnCancel(first);
		}
		case MenuAction_End:
		{
			Poll_Closed();
			NativeVotes_Close(vote);
		}
	}
	return 0;
}
