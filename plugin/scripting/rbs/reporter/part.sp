// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the files in core and rounds ask of the game, for a build that moves nobody. See tf2/part.sp.

void Part_TellState(int client)
{
	#pragma unused client
}

/** Writes the part of the map's name before the first "_", such as "de". It tells the mode in most games. */
void Part_Mode(char[] name, int length)
{
	int end = FindCharInString(g_map, '_');
	strcopy(name, length, end > 0 ? g_map : "other");
	if (end > 0 && end < length)
	{
		name[end] = '\0';
	}
}

int Part_Score(int client)
{
	return GetClientFrags(client);
}

/** Returns false: the events of most games name no assistant. */
bool Part_HasAssists()
{
	return false;
}

/** Returns false: the events of games name damage differently. */
bool Part_HasDamage()
{
	return false;
}

void Part_OnEnabled()
{
}

void Part_ForgetClient(int client)
{
	#pragma unused client
}

void Part_OnAuthorized(int client)
{
	#pragma unused client
}

void Part_OnRating(int client, int rating, int delta)
{
	#pragma unused client, rating, delta
}

void Part_OnRatings()
{
}

void Part_OnOtherRatings()
{
}

void Part_OnScrambleNotice()
{
	Log_Done("This build of RBS moves nobody.");
}

void Part_OnHello(JSONObject data)
{
	#pragma unused data
}

bool Part_WantsTeams()
{
	return false;
}

JSONObject Part_Wishes()
{
	return null;
}

void Part_AskTeams()
{
}

void Part_TakeTeams(JSONObject data)
{
	#pragma unused data
}

void Part_OnAnswer(Request kind, int serial, Verdict verdict, JSONObject data, const char[] detail)
{
	#pragma unused kind, serial, verdict, data, detail
}
