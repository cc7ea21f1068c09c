// SPDX-License-Identifier: GPL-3.0-or-later
//
// The planned moves of balance: each is made at once, at the player's next death, or when balance says that the time
// limit has passed.

static int s_team[SLOTS];    // the team to move to, 0 for none
static int s_warned[SLOTS];  // the team that the player was told about

void Plan_Drop()
{
	for (int client = 0; client < SLOTS; client++)
	{
		s_team[client] = 0;
	}
}

/** A new round begins. */
void Plan_Forget()
{
	Plan_Drop();
	for (int client = 0; client < SLOTS; client++)
	{
		s_warned[client] = 0;
	}
}

void Plan_ForgetClient(int client)
{
	s_team[client] = 0;
	s_warned[client] = 0;
}

/** Plans the moves of an answer of the service. */
void Plan_Take(JSONArray moves)
{
	for (int i = 0; i < moves.Length; i++)
	{
		JSONObject move = view_as<JSONObject>(moves.Get(i));
		char id[ID_LENGTH], to[4];
		Json_String(move, "to", to, sizeof(to));
		int team = StrEqual(to, "a") ? TEAM_RED : TEAM_BLU;
		Json_String(move, "id", id, sizeof(id));
		Plan_Add(Id_Client(Id_Read(id)), team);
		if (Json_String(move, "with", id, sizeof(id)))
		{
			Plan_Add(Id_Client(Id_Read(id)), TEAM_RED + TEAM_BLU - team);
		}
		delete move;
	}
}

/** Plans to move `count` players away from a team: the dead first, then those who joined the team last. */
void Plan_BySize(int from, int count)
{
	bool may[SLOTS];
	for (int client = 1; client <= MaxClients; client++)
	{
		may[client] = IsClientInGame(client) && !IsFakeClient(client) && GetClientTeam(client) == from && !Immunity_Has(client);
	}
	while (count > 0)
	{
		int best = 0;
		for (int client = 1; client <= MaxClients; client++)
		{
			if (may[client] && (best == 0 || Plan_IsBefore(client, best)))
			{
				best = client;
			}
		}
		if (best == 0)
		{
			return;
		}
		may[best] = false;
		count -= Plan_Add(best, TEAM_RED + TEAM_BLU - from) ? 1 : 0;
	}
}

/** Returns whether a client is to be moved rather than another one. */
static bool Plan_IsBefore(int client, int other)
{
	if (IsPlayerAlive(client) != IsPlayerAlive(other))
	{
		return !IsPlayerAlive(client);
	}
	return g_joined[client] > g_joined[other];
}

/** Returns whether the client is to be moved. */
static bool Plan_Add(int client, int team)
{
	if (!Plan_CanMove(client, team) || g_movedHere[client])
	{
		return false;
	}
	if (!Api_MayBalance(client, team))
	{
		Log_Done("Another plugin prevented the move of %L.", client);
		return false;
	}
	if (g_cvDryRun.BoolValue)
	{
		LogMessage("Dry run: %L would be moved to %s to balance the teams.", client, Teams_Name(team));
		return true;
	}
	s_team[client] = team;
	return true;
}

static bool Plan_CanMove(int client, int team)
{
	return client != 0 && IsClientInGame(client) && GetClientTeam(client) == TEAM_RED + TEAM_BLU - team;
}

/** Tells everybody who is to be moved at the next death or after some seconds, once. */
void Plan_Warn(int seconds)
{
	for (int client = 1; client <= MaxClients; client++)
	{
		if (s_team[client] != 0 && s_team[client] != s_warned[client] && IsClientInGame(client))
		{
			s_warned[client] = s_team[client];
			Chat_One(client, "%t", "Move soon", Teams_Name(s_team[client]), seconds);
		}
	}
}

void Plan_MoveAll()
{
	for (int client = 1; client <= MaxClients; client++)
	{
		Plan_Move(client);
	}
}

void Plan_MoveTheDead()
{
	for (int client = 1; client <= MaxClients; client++)
	{
		if (s_team[client] != 0 && IsClientInGame(client) && !IsPlayerAlive(client))
		{
			Plan_Move(client);
		}
	}
}

static void Plan_Move(int client)
{
	int team = s_team[client];
	s_team[client] = 0;
	if (team == 0 || !Plan_CanMove(client, team))
	{
		return;
	}
	if (Immunity_Has(client))
	{
		// The client got a flag, a charge or a building after the answer of the service: it must choose somebody else.
		Balance_Touch();
		return;
	}
	bool alive = IsPlayerAlive(client);
	// Set this even if the move fails: nobody is moved twice in a round.
	g_movedHere[client] = true;
	if (Teams_Move(client, team, alive))
	{
		Lock_Move(client, team);
		Plan_Tell(client, team);
	}
}

static void Plan_Tell(int client, int team)
{
	Log_Done("%L was moved to %s to balance the teams.", client, Teams_Name(team));
	Chat_All("%t", "Moved", client, Teams_Name(team));
	PrintCenterText(client, "%t", "Moved you", Teams_Name(team));
	// The game's own balance fires this event too, for the HUD and for other plugins.
	Event event = CreateEvent("teamplay_teambalanced_player");
	if (event != null)
	{
		event.SetInt("player", client);
		event.SetInt("team", team);
		event.Fire();
	}
}

void Plan_OnDeath(int client)
{
	if (s_team[client] != 0)
	{
		// The game is still processing the death, so wait for the next frame.
		RequestFrame(Plan_AfterDeath, GetClientUserId(client));
	}
}

public void Plan_AfterDeath(any user)
{
	int client = GetClientOfUserId(user);
	if (client != 0 && Balance_IsOn())
	{
		Plan_Move(client);
	}
}
