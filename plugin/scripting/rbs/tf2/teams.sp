// SPDX-License-Identifier: GPL-3.0-or-later
//
// Moves players. The game silently ignores some moves (ghosts, karts, coaches), so each move is verified. It does move
// duellists, whose duel ends if both are on one team; immunity.sp and pin.sp spare them.

#define LIFE_DEAD 2

static bool s_moving; // the observed change of teams comes from this plugin

bool Teams_IsMoving()
{
	return s_moving;
}

/** Moves a client to a team or, with TEAM_SPECTATOR, to the bench. Returns whether the game did it. */
bool Teams_Move(int client, int team, bool respawn)
{
	int life = GetEntProp(client, Prop_Send, "m_lifeState");
	bool fromTeam = GetClientTeam(client) >= TEAM_RED;
	float charge = fromTeam ? Medic_Charge(client) : 0.0;
	s_moving = true;
	if (fromTeam)
	{
		// The game counts a change of teams while alive as a suicide.
		SetEntProp(client, Prop_Send, "m_lifeState", LIFE_DEAD);
	}
	ChangeClientTeam(client, team);
	bool moved = GetClientTeam(client) == team;
	if (fromTeam && (team >= TEAM_RED || !moved))
	{
		SetEntProp(client, Prop_Send, "m_lifeState", life);
	}
	s_moving = false;
	if (!moved)
	{
		Log_Done("The game refused to move %L.", client);
		return false;
	}
	if (team >= TEAM_RED && respawn)
	{
		Teams_Respawn(client);
		Medic_SetCharge(client, charge);
	}
	return true;
}

/** Respawns a client. A client without a class is at the class menu, and gets the menu of the new team. */
static void Teams_Respawn(int client)
{
	if (Teams_HasClass(client))
	{
		TF2_RespawnPlayer(client);
	}
	else
	{
		ShowVGUIPanel(client, GetClientTeam(client) == TEAM_RED ? "class_red" : "class_blue");
	}
}

/** Returns whether the client has chosen a class. */
bool Teams_HasClass(int client)
{
	return GetEntProp(client, Prop_Send, "m_iDesiredPlayerClass") != 0;
}

/**
 * Takes those who wait and have a seat out of the game's arena queue. The game does this before teamplay_round_start;
 * players seated later would stay queued and be counted twice for the next round. Only the command for watching by
 * choice takes somebody out. It forgets the class, so the class is restored.
 */
static void Teams_LeaveQueue(const int seats[SLOTS])
{
	for (int client = 1; client <= MaxClients; client++)
	{
		// Before the doors open, the command also makes the game fill a smaller team from its queue. If several places are
		// empty, the game reads beyond the end of a short queue.
		int lead = Number_Absolute(GetTeamClientCount(TEAM_RED) - GetTeamClientCount(TEAM_BLU));
		if (seats[client] < TEAM_RED || GetClientTeam(client) != TEAM_SPECTATOR || lead > 1)
		{
			continue;
		}
		int class = GetEntProp(client, Prop_Send, "m_iDesiredPlayerClass");
		s_moving = true;
		FakeClientCommand(client, "jointeam spectatearena");
		s_moving = false;
		SetEntProp(client, Prop_Send, "m_iDesiredPlayerClass", class);
		SetEntProp(client, Prop_Send, "m_bArenaSpectator", 0);
	}
}

/**
 * Moves the players to their `seats`. If the game refuses a move, the player with the closest rating moves the other
 * way, so that at least the sizes are right. Returns how many players changed teams.
 */
int Teams_Apply(const int seats[SLOTS])
{
	int moved = 0, failed = 0, stuck[SLOTS];
	if (Game_HasArenaQueue())
	{
		Teams_LeaveQueue(seats);
	}
	// Move players to the bench first, which frees their places.
	for (int pass = 0; pass < 2; pass++)
	{
		for (int client = 1; client <= MaxClients; client++)
		{
			if (seats[client] == 0 || (seats[client] == TEAM_SPECTATOR) != (pass == 0) || GetClientTeam(client) == seats[client])
			{
				continue;
			}
			if (Teams_Move(client, seats[client], true))
			{
				moved++;
			}
			else
			{
				stuck[failed++] = client;
			}
		}
	}
	for (int i = 0; i < failed; i++)
	{
		moved += Teams_Repair(stuck[i], stuck, failed);
	}
	if (failed > 0)
	{
		Chat_All("%t", "Some stay", failed);
	}
	return moved;
}

/** Moves another player in place of a client who could not be moved, if the sizes differ by two or more. */
static int Teams_Repair(int client, const int[] stuck, int count)
{
	int red = GetTeamClientCount(TEAM_RED), blu = GetTeamClientCount(TEAM_BLU);
	if (Number_Absolute(red - blu) < 2)
	{
		return 0;
	}
	int larger = red > blu ? TEAM_RED : TEAM_BLU;
	int best = 0;
	for (int other = 1; other <= MaxClients; other++)
	{
		if (!Id_IsPlayer(other) || GetClientTeam(other) != larger || Teams_IsAmong(other, stuck, count) || Pin_Has(other))
		{
			continue;
		}
		if (best == 0 || Number_Absolute(g_rating[other] - g_rating[client]) < Number_Absolute(g_rating[best] - g_rating[client]))
		{
			best = other;
		}
	}
	return best != 0 && Teams_Move(best, TEAM_RED + TEAM_BLU - larger, true) ? 1 : 0;
}

static bool Teams_IsAmong(int client, const int[] clients, int count)
{
	for (int i = 0; i < count; i++)
	{
		if (clients[i] == client)
		{
			return true;
		}
	}
	return false;
}

/** Returns whether anybody would change teams. */
bool Teams_Differ(const int seats[SLOTS])
{
	for (int client = 1; client <= MaxClients; client++)
	{
		if (seats[client] != 0 && GetClientTeam(client) != seats[client])
		{
			return true;
		}
	}
	return false;
}

/** Logs the moves of a dry run. */
void Teams_LogPlan(const int seats[SLOTS])
{
	static const char names[][] = {"no team", "the bench", "RED", "BLU"};
	for (int client = 1; client <= MaxClients; client++)
	{
		if (seats[client] != 0 && Id_IsPlayer(client) && GetClientTeam(client) != seats[client])
		{
			LogMessage("Dry run: %L would be moved to %s.", client, names[seats[client]]);
		}
	}
}

/** Returns the name of a team for chat and the log. */
char[] Teams_Name(int team)
{
	char name[4];
	strcopy(name, sizeof(name), team == TEAM_RED ? "RED" : "BLU");
	return name;
}

/** Returns the team with fewer players or, if equal, with the lower sum of known ratings. */
int Teams_Smaller()
{
	int red = GetTeamClientCount(TEAM_RED), blu = GetTeamClientCount(TEAM_BLU);
	if (red != blu)
	{
		return red < blu ? TEAM_RED : TEAM_BLU;
	}
	return Teams_Sum(TEAM_RED) <= Teams_Sum(TEAM_BLU) ? TEAM_RED : TEAM_BLU;
}

static int Teams_Sum(int team)
{
	int sum = 0;
	for (int client = 1; client <= MaxClients; client++)
	{
		sum += Id_IsPlayer(client) && GetClientTeam(client) == team && g_rating[client] != UNKNOWN_RATING ? g_rating[client] : 0;
	}
	return sum;
}
