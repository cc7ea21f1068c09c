// SPDX-License-Identifier: GPL-3.0-or-later
//
// sm_rbs_void: voids the last round of this server. The service allows this for the number of minutes in its setting
// void_own_minutes.

static char s_last[ROUND_ID_LENGTH];  // the last round that the service confirmed
static int s_asker;                   // user id of the admin, 0 for the console
static ReplySource s_source;

/** Remembers the last confirmed round. */
void Void_Note(const char[] round)
{
	strcopy(s_last, sizeof(s_last), round);
}

public Action Void_OnCommand(int client, int args)
{
	char reason[256];
	GetCmdArgString(reason, sizeof(reason));
	StripQuotes(reason);
	TrimString(reason);
	if (reason[0] == '\0')
	{
		Chat_Reply(client, "%t", "Void usage");
	}
	else if (Queue_Length() > 0 || s_last[0] == '\0')
	{
		Chat_Reply(client, "%t", "Void nothing");
	}
	else if (!Service_MayAsk())
	{
		Chat_Reply(client, "%t", "Service is away");
	}
	else
	{
		LogAction(client, -1, "\"%L\" voided the round %s: %s", client, s_last, reason);
		s_asker = client == 0 ? 0 : GetClientUserId(client);
		s_source = GetCmdReplySource();
		Void_Ask(reason);
	}
	return Plugin_Handled;
}

static void Void_Ask(const char[] reason)
{
	char path[2 * ROUND_ID_LENGTH + 32];
	FormatEx(path, sizeof(path), "/v1/rounds/%s/%s/void", g_server, s_last);
	JSONObject body = new JSONObject();
	body.SetString("reason", reason);
	Http_Post(Request_Void, path, body, g_cvTimeout.IntValue);
	delete body;
}

void Void_OnAnswer(Verdict verdict, int status, const char[] detail)
{
	if (verdict == Verdict_Done)
	{
		Players_AskAll();
		Part_OnOtherRatings();
	}
	int client = s_asker == 0 ? 0 : GetClientOfUserId(s_asker);
	if (client == 0 && s_asker != 0)
	{
		return;
	}
	ReplySource before = SetCmdReplySource(s_source);
	if (verdict == Verdict_Done)
	{
		Chat_Reply(client, "%t", status == 202 ? "Void is in progress" : "Void is done");
	}
	else
	{
		Chat_Reply(client, "%t", "Void is refused", detail);
	}
	SetCmdReplySource(before);
}
