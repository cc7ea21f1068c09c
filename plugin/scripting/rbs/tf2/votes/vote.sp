// SPDX-License-Identifier: GPL-3.0-or-later
//
// Votes for a scramble. Players vote in chat, or the first vote opens a menu for everybody (poll.sp). A vote that
// succeeds scrambles the teams at once or before the next round.

static bool s_voted[SLOTS];
static float s_mapAt;       // game time when the map started
static float s_failedAt;    // game time of the last vote in a menu that failed, 0 for none
static bool s_recounts;     // a recount is planned for the next frame
static Handle s_advert;

void Vote_ForgetMap()
{
	s_mapAt = GetGameTime();
	s_failedAt = 0.0;
	Vote_Clear();
}

void Vote_Clear()
{
	for (int client = 0; client < SLOTS; client++)
	{
		s_voted[client] = false;
	}
}

/** A player left: the votes of the others may suffice now. */
void Vote_Forget(int client)
{
	s_voted[client] = false;
	if (!s_recounts)
	{
		s_recounts = true;
		RequestFrame(Vote_Recount);
	}
}

public void Vote_Recount(any data)
{
	s_recounts = false;
	int needed;
	int votes = Vote_Count(needed);
	if (votes > 0 && votes >= needed && g_due == Reason_None && Vote_IsOn() && Vote_SecondsLeft() <= 0 && !g_cvVoteMenu.BoolValue)
	{
		Vote_Succeed();
	}
}

static bool Vote_IsOn()
{
	return g_cvVote.FloatValue > 0.0 && Round_IsOurs();
}

public Action Vote_OnCommand(int client, int args)
{
	Vote_Try(client);
	return Plugin_Handled;
}

/** A player wants to vote. */
void Vote_Try(int client)
{
	if (client == 0)
	{
		Chat_Reply(client, "%t", "Only in game");
		return;
	}
	if (!Vote_IsOn())
	{
		Chat_Reply(client, "%t", "Vote is off");
		return;
	}
	if (!Id_IsOnTeam(client) && !(Id_IsPlayer(client) && Lobby_IsWaiting(client)))
	{
		Chat_Reply(client, "%t", "Vote is for players");
		return;
	}
	if (g_due != Reason_None)
	{
		Chat_Reply(client, "%t", "Vote is not needed");
		return;
	}
	int left = Vote_SecondsLeft();
	if (left > 0)
	{
		Chat_Reply(client, "%t", "Vote is too early", left);
	}
	else if (g_cvVoteMenu.BoolValue)
	{
		Poll_Start(client);
	}
	else
	{
		Vote_Cast(client);
	}
}

/** Returns the seconds until players may vote. */
static int Vote_SecondsLeft()
{
	float since = s_mapAt > s_failedAt ? s_mapAt : s_failedAt;
	since = Scramble_LastAt() > since ? Scramble_LastAt() : since;
	return RoundToCeil(since + g_cvVoteDelay.FloatValue - GetGameTime());
}

/** Returns the votes of the present players, and how many are needed. */
static int Vote_Count(int &needed)
{
	int clients[SLOTS];
	int count = Lobby_Find(clients), votes = 0;
	for (int i = 0; i < count; i++)
	{
		votes += s_voted[clients[i]] ? 1 : 0;
	}
	needed = Vote_Needed(count);
	return votes;
}

/** Returns how many of this number of votes are needed. */
int Vote_Needed(int count)
{
	// The small subtraction corrects float errors, which would round a whole number up.
	int needed = RoundToCeil(count * g_cvVote.FloatValue - 0.001);
	return needed < 1 ? 1 : needed;
}

static void Vote_Cast(int client)
{
	bool again = s_voted[client];
	s_voted[client] = true;
	int needed;
	int votes = Vote_Count(needed);
	if (votes >= needed)
	{
		Vote_Succeed();
	}
	else if (again)
	{
		Chat_Reply(client, "%t", "Vote was counted", votes, needed);
	}
	else
	{
		Chat_All("%t", "Vote", client, votes, needed);
	}
}

void Vote_Succeed()
{
	Vote_Clear();
	if (g_cvVoteNow.BoolValue && (g_round == Round_Live || g_round == Round_Before) && Scramble_Now(Reason_Vote))
	{
		return;
	}
	Scramble_Due(Reason_Vote);
}

/** A vote in a menu failed. The next one must wait for rbs_vote_delay seconds. */
void Vote_Fail()
{
	s_failedAt = GetGameTime();
}

/** Starts the hints on how to vote, or stops them. */
void Vote_Advertise()
{
	delete s_advert;
	if (g_cvVoteAdvert.FloatValue > 0.0)
	{
		s_advert = CreateTimer(g_cvVoteAdvert.FloatValue * 60.0, Vote_OnAdvert, _, TIMER_REPEAT);
	}
}

public void Vote_OnAdvertChanged(ConVar convar, const char[] before, const char[] after)
{
	Vote_Advertise();
}

public Action Vote_OnAdvert(Handle timer)
{
	if (Vote_IsOn() && g_due == Reason_None && Vote_SecondsLeft() <= 0)
	{
		Chat_All("%t", "Vote advert");
	}
	return Plugin_Continue;
}
