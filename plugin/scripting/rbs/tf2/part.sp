// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the files in core and rounds ask of the game. Each game part has these functions, and Round_IsOurs and Round_Doors.

/** Writes the name of the game mode for the service. */
void Part_Mode(char[] name, int length)
{
	Mode_Name(name, length);
}

/** Returns the client's score on the scoreboard since the client joined the server. */
int Part_Score(int client)
{
	int resource = GetPlayerResourceEntity();
	return resource == -1 ? 0 : GetEntProp(resource, Prop_Send, "m_iTotalScore", _, client);
}

/** Returns whether the game counts assists. */
bool Part_HasAssists()
{
	return true;
}

/** Returns whether the game part reports damage and healing. */
bool Part_HasDamage()
{
	return true;
}

/** rbs_enabled changed. */
void Part_OnEnabled()
{
	Game_Adjust();
}

/** A slot is empty. */
void Part_ForgetClient(int client)
{
	g_waited[client] = 0;
	g_joined[client] = 0.0;
	g_movedHere[client] = false;
}

/** The client's account is known. */
void Part_OnAuthorized(int client)
{
	g_waited[client] = Bench_Kept(g_account[client]);
	if (g_movedHere[client])
	{
		// Balance moved the client before Steam confirmed the account.
		Lock_Move(client, GetClientTeam(client));
	}
	g_movedHere[client] = Lock_WasMoved(g_account[client]);
}

/** A round changed the client's rating. */
void Part_OnRating(int client, int rating, int delta)
{
	Api_OnRating(client, rating, delta);
}

/** All new ratings of a round have arrived. */
void Part_OnRatings()
{
	Odds_OnRatings();
}

/** Ratings changed for another reason than a round. */
void Part_OnOtherRatings()
{
	Table_Age();
}

/** An admin asked for a scramble on the service's dashboard. */
void Part_OnScrambleNotice()
{
	Scramble_Due(Reason_Admin);
}

/** The service answered the first request of a map. */
void Part_OnHello(JSONObject data)
{
	JSONObject table = Json_Object(data, "table");
	if (table != null)
	{
		if (!Table_IsThere())
		{
			Table_Take(table);
			Table_Age();
		}
		delete table;
	}
}

/** Returns whether the next round still needs teams. */
bool Part_WantsTeams()
{
	return Table_IsWanted();
}

/** Returns the request for teams that is sent with a round. The caller must close the handle. */
JSONObject Part_Wishes()
{
	return Ask_Body(false);
}

/** Requests teams without a round. */
void Part_AskTeams()
{
	Ask_Table();
}

/** Takes the splits that came with the answer to a round, or logs why there are none. */
void Part_TakeTeams(JSONObject data)
{
	JSONObject table = Json_Object(data, "splits");
	if (table != null)
	{
		Table_Take(table);
		delete table;
		return;
	}
	JSONObject error = Json_Object(data, "splits_error");
	if (error != null)
	{
		char detail[256];
		Json_String(error, "detail", detail, sizeof(detail));
		Log_Done("The round counts, but RBS sent no teams for the next one: %s", detail);
		delete error;
	}
}

/** Takes the answer to a request that only the game part sends. */
void Part_OnAnswer(Request kind, int serial, Verdict verdict, JSONObject data, const char[] detail)
{
	switch (kind)
	{
		case Request_Table:
		{
			Ask_OnAnswer(serial, verdict, data, detail);
		}
		case Request_Balance:
		{
			Balance_OnAnswer(serial, verdict, data, detail);
		}
		case Request_Place:
		{
			Join_OnAnswer(serial, verdict, data);
		}
		case Request_Stack:
		{
			Stack_OnAnswer(serial, verdict, data);
		}
		case Request_Odds:
		{
			Odds_OnAnswer(serial, verdict, data);
		}
	}
}

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
