// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the core asks of this game.

/** Answers sm_rbs with what only this build has. */
void Part_TellState(int client)
{
	char phrase[32];
	Mode_Phrase(phrase, sizeof(phrase));
	Chat_Reply(client, "%t", "State round", phrase, Round_Played(), Round_SinceScramble());
	Scramble_Phrase(g_due, phrase, sizeof(phrase));
	Chat_Reply(client, "%t", "State scramble", phrase);
	Chat_Reply(client, "%t", Table_IsThere() ? "State table" : "State no table", Table_Players());
	if (Round_IsOurs() && g_cvDryRun.BoolValue)
	{
		Chat_Reply(client, "%t", "State dry run");
	}
}
