// SPDX-License-Identifier: GPL-3.0-or-later
//
// Choosing a team. A player may not leave a locked team (lock.sp) or stack the teams (stack.sp). Outside arena, the
// service chooses the team of a player without one. If the service does not answer, the player joins the smaller team.

// Longest wait for an answer of the service, in seconds.
#define JOIN_SECONDS 2

static bool s_held[SLOTS];    // has chosen and waits for the service's answer
static bool s_asked[SLOTS];   // is in the pending request
static bool s_placing;                 // the observed command comes from this plugin
static int s_serial;                   // of the pending request, 0 for none
static float s_deadline;               // engine time

void Join_Hook()
{
	AddCommandListener(Join_OnCommand, "jointeam");
	AddCommandListener(Join_OnCommand, "autoteam");
	// With mp_forceautoteam, the game chooses a team at these commands of the client's menus.
	AddCommandListener(Join_OnCommand, "show_motd");
	AddCommandListener(Join_OnCommand, "closedwelcomemenu");
	AddCommandListener(Join_OnCommand, "team_ui_setup");
}

void Join_Forget(int client)
{
	s_held[client] = false;
	s_asked[client] = false;
	Stack_Forget(client);
}

public Action Join_OnCommand(int client, const char[] command, int args)
{
	if (client == 0 || s_placing || !IsClientInGame(client) || IsFakeClient(client) || !Round_IsOurs() || !Game_IsOurs())
	{
		return Plugin_Continue;
	}
	int team = Join_Wish(client, command);
	if (team == TEAM_SPECTATOR)
	{
		if (StrEqual(command, "jointeam"))
		{
			Join_Forget(client);
		}
		return Plugin_Continue;
	}
	int locked = Lock_Team(client);
	if (GetClientTeam(client) >= TEAM_RED)
	{
		if (locked != 0 && team != locked)
		{
			Chat_One(client, "%t", "Team is locked");
			return Plugin_Handled;
		}
		return Stack_Holds(client, team == 0 ? Join_AutoTeam(client) : team) ? Plugin_Handled : Plugin_Continue;
	}
	if (Game_HasArenaQueue())
	{
		// Only the game may seat players from its queue.
		return Plugin_Continue;
	}
	if (locked != 0)
	{
		Join_Go(client, locked);
		return Plugin_Handled;
	}
	if (g_mode == Mode_Arena)
	{
		return Plugin_Continue;
	}
	if (!g_cvPlace.BoolValue || g_account[client] == 0)
	{
		return team != 0 && Stack_Holds(client, team) ? Plugin_Handled : Plugin_Continue;
	}
	Join_Hold(client);
	return Plugin_Handled;
}

/** Returns the team of a command, 0 for "auto". A command that chooses no team to play in counts as TEAM_SPECTATOR. */
static int Join_Wish(int client, const char[] command)
{
	char wish[16];
	if (StrEqual(command, "jointeam"))
	{
		GetCmdArg(1, wish, sizeof(wish));
		return Join_Team(wish);
	}
	if (StrEqual(command, "autoteam"))
	{
		return 0;
	}
	ConVar forced = FindConVar("mp_forceautoteam");
	bool hasTeam = StrEqual(command, "closedwelcomemenu") && GetClientTeam(client) != 0;
	return forced != null && forced.BoolValue && !hasTeam ? 0 : TEAM_SPECTATOR;
}

/** Returns the team of a jointeam argument, 0 for "auto". The game takes every word that it does not know for RED. */
static int Join_Team(const char[] wish)
{
	static const char others[][] = {"spectate", "spectatearena", "spectator", "unassigned"};
	for (int i = 0; i < sizeof(others); i++)
	{
		if (StrEqual(wish, others[i], false))
		{
			return TEAM_SPECTATOR;
		}
	}
	if (StrEqual(wish, "auto", false))
	{
		return 0;
	}
	return StrEqual(wish, "blue", false) ? TEAM_BLU : TEAM_RED;
}

/** Returns the team to which "auto" may move a player. Between equally large teams, the game may choose either. */
static int Join_AutoTeam(int client)
{
	bool equal = GetTeamClientCount(TEAM_RED) == GetTeamClientCount(TEAM_BLU);
	return equal ? TEAM_RED + TEAM_BLU - GetClientTeam(client) : Teams_Smaller();
}

/** Holds the client until the answer. All clients who choose in the same frame share one request. */
static void Join_Hold(int client)
{
	bool first = true;
	for (int other = 1; other <= MaxClients; other++)
	{
		first = first && !s_held[other];
	}
	s_held[client] = true;
	if (first || s_serial != 0 && GetEngineTime() >= s_deadline)
	{
		s_serial = 0;
		RequestFrame(Join_Ask);
	}
}

public void Join_Ask(any data)
{
	if (s_serial != 0)
	{
		return;
	}
	JSONArray joining = new JSONArray();
	for (int client = 1; client <= MaxClients; client++)
	{
		s_asked[client] = s_held[client] && Id_IsPlayer(client) && joining.Length < 64;
		if (s_asked[client])
		{
			JSONObject player = Lobby_Player(client);
			joining.Push(player);
			delete player;
		}
	}
	if (joining.Length > 0 && Service_MayAsk())
	{
		JSONObject body = Lobby_Teams();
		body.Set("joining", joining);
		s_serial = Http_Post(Request_Place, "/v1/place", body, JOIN_SECONDS);
		s_deadline = GetEngineTime() + 2.0 * JOIN_SECONDS;
		delete body;
	}
	delete joining;
	if (s_serial == 0)
	{
		Join_PlaceHeld();
	}
}

void Join_OnAnswer(int serial, Verdict verdict, JSONObject data)
{
	if (serial != s_serial)
	{
		return;
	}
	s_serial = 0;
	JSONArray placed = verdict == Verdict_Done ? Json_Array(data, "placed") : null;
	if (placed != null)
	{
		for (int i = 0; i < placed.Length; i++)
		{
			JSONObject place = view_as<JSONObject>(placed.Get(i));
			Join_Place(place);
			delete place;
		}
		delete placed;
	}
	Join_PlaceHeld();
	RequestFrame(Join_Ask);
}

static void Join_Place(JSONObject place)
{
	char id[ID_LENGTH], side[4];
	Json_String(place, "id", id, sizeof(id));
	Json_String(place, "team", side, sizeof(side));
	int client = Id_Client(Id_Read(id));
	if (client == 0 || !s_held[client])
	{
		return;
	}
	int team = StrEqual(side, "a") ? TEAM_RED : TEAM_BLU;
	// The service does not count players whom Steam has not confirmed.
	Join_Go(client, Lobby_HasStrangers() && Lobby_Difference() >= 2 ? Teams_Smaller() : team);
}

/** Puts the clients of an unanswered request on the smaller team. */
static void Join_PlaceHeld()
{
	for (int client = 1; client <= MaxClients; client++)
	{
		if (s_held[client] && s_asked[client] && IsClientInGame(client))
		{
			Join_Go(client, Teams_Smaller());
		}
		s_asked[client] = false;
	}
}

/** The player changes to the chosen team, unless the game refuses. */
void Join_Choose(int client, int team)
{
	s_placing = true;
	FakeClientCommand(client, "jointeam %s", team == TEAM_RED ? "red" : "blue");
	s_placing = false;
}

static void Join_Go(int client, int team)
{
	Join_Forget(client);
	if (!IsClientInGame(client) || GetClientTeam(client) == team)
	{
		return;
	}
	Join_Choose(client, team);
	s_placing = true;
	if (GetClientTeam(client) != team)
	{
		// The game may refuse the command, for example because the team is full.
		ChangeClientTeam(client, team);
		ShowVGUIPanel(client, team == TEAM_RED ? "class_red" : "class_blue");
	}
	s_placing = false;
	Log_Detail("%L joins %s.", client, Teams_Name(team));
}

/** A client has a team without having chosen one, or is known only now: returns to the locked team, if there is one. */
void Join_Return(int client)
{
	if (Lock_Team(client) != 0)
	{
		// The game is still processing the change of teams, so wait for the next frame.
		RequestFrame(Join_AfterTeam, GetClientUserId(client));
	}
}

public void Join_AfterTeam(any user)
{
	int client = GetClientOfUserId(user);
	int locked = client == 0 ? 0 : Lock_Team(client);
	if (locked == 0 || !Id_IsOnTeam(client) || GetClientTeam(client) == locked || !Round_IsOurs() || !Game_IsOurs())
	{
		return;
	}
	if (Teams_Move(client, locked, IsPlayerAlive(client)))
	{
		Chat_One(client, "%t", "Team is locked");
	}
}
