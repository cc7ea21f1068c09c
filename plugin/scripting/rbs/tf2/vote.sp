// SPDX-License-Identifier: GPL-3.0-or-later
//
// "!votescramble": plans a scramble before the next round when enough players voted.

static bool s_voted[SLOTS];
static float s_mapAt; // game time when the map started

void Vote_ForgetMap()
{
	s_mapAt = GetGameTime();
	Vote_Clear();
}

void Vote_Clear()
{
	for (int client = 0; client < SLOTS; client++)
	{
		s_voted[client] = false;
	}
}

void Vote_Forget(int client)
{
	s_voted[client] = false;
}

public Action Vote_OnCommand(int client, int args)
{
	if (client == 0)
	{
		Chat_Reply(client, "%t", "Only in game");
		return Plugin_Handled;
	}
	if (g_cvVote.FloatValue <= 0.0 || !Round_IsOurs())
	{
		Chat_Reply(client, "%t", "Vote is off");
		return Plugin_Handled;
	}
	if (!Id_IsOnTeam(client) && !(Id_IsPlayer(client) && Lobby_IsWaiting(client)))
	{
		Chat_Reply(client, "%t", "Vote is for players");
		return Plugin_Handled;
	}
	if (g_due != Reason_None)
	{
		Chat_Reply(client, "%t", "Vote is not needed");
		return Plugin_Handled;
	}
	float since = Scramble_LastAt() > s_mapAt ? Scramble_LastAt() : s_mapAt;
	int left = RoundToCeil(since + g_cvVoteDelay.FloatValue - GetGameTime());
	if (left > 0)
	{
		Chat_Reply(client, "%t", "Vote is too early", left);
		return Plugin_Handled;
	}
	Vote_Cast(client);
	return Plugin_Handled;
}

static void Vote_Cast(int client)
{
	bool again = s_voted[client];
	s_voted[client] = true;
	int clients[SLOTS];
	int count = Lobby_Find(clients), votes = 0;
	for (int i = 0; i < count; i++)
	{
		votes += s_voted[clients[i]] ? 1 : 0;
	}
	// The small subtraction corrects float errors, which would round a whole number up.
	int needed = RoundToCeil(count * g_cvVote.FloatValue - 0.001);
	if (votes < needed)
	{
		if (again)
		{
			Chat_Reply(client, "%t", "Vote was counted", votes, needed);
		}
		else
		{
			Chat_All("%t", "Vote", client, votes, needed);
		}
		return;
	}
	Vote_Clear();
	Scramble_Due(Reason_Vote);
}
