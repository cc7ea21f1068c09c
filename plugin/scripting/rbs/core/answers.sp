// SPDX-License-Identifier: GPL-3.0-or-later
//
// Dispatches each answer of the service to the file that sent the request.

void Answers_Take(Request kind, int serial, Verdict verdict, int status, JSONObject data, int retryAfter, const char[] detail)
{
	// These requests have a short timeout. Running into it does not mean that the service is down.
	bool hurried = kind == Request_Place || kind == Request_Table || kind == Request_Stack;
	if (verdict != Verdict_Later || !hurried)
	{
		Service_Note(verdict, detail);
	}
	switch (kind)
	{
		case Request_Hello:
		{
			Hello_OnAnswer(verdict, data, detail);
		}
		case Request_Players:
		{
			Players_OnAnswer(verdict, data);
		}
		case Request_Rounds:
		{
			Send_OnAnswer(serial, verdict, status, data, retryAfter, detail);
		}
		case Request_Void:
		{
			Void_OnAnswer(verdict, status, detail);
		}
		case Request_Rank:
		{
			Ranks_OnRankAnswer(verdict, data);
		}
		case Request_Top:
		{
			Ranks_OnTopAnswer(verdict, data);
		}
		default:
		{
			Part_OnAnswer(kind, serial, verdict, data, detail);
		}
	}
	if (verdict == Verdict_Done && kind != Request_Rounds)
	{
		Send_OnSignOfLife();
	}
}
