// SPDX-License-Identifier: GPL-3.0-or-later
//
// Detects the game mode from the map's entities. configs/rbs_maps.cfg has the exceptions.

static const char s_names[][] = {"other", "arena", "koth", "points", "attack", "payload", "race", "ctf", "mvm"};

// Longest map name plus the character *.
#define MAP_KEY 66

static bool s_oneSided;    // the teams of this round differ too much in size
static bool s_off;         // the plugin is inactive on this map
static bool s_stages;      // each stage of this map counts as a round
static bool s_forced;      // the configuration sets the mode
static Mode s_forcedMode;

void Mode_Name(char[] name, int length)
{
	strcopy(name, length, s_names[g_mode]);
}

/** Writes the name of the mode's phrase. */
void Mode_Phrase(char[] phrase, int length)
{
	FormatEx(phrase, length, "Mode %s", s_names[g_mode]);
}

bool Mode_IsOff()
{
	return s_off;
}

bool Mode_RatesStages()
{
	return s_stages || g_cvRateStages.BoolValue;
}

/** Reads the configuration of a map when the map starts. */
void Mode_OnMap()
{
	s_off = false;
	s_stages = false;
	s_forced = false;
	Rule_ForgetMap();
	char path[PLATFORM_MAX_PATH], value[16];
	BuildPath(Path_SM, path, sizeof(path), "configs/rbs_maps.cfg");
	KeyValues maps = new KeyValues("Maps");
	if (FileExists(path) && maps.ImportFromFile(path) && Mode_JumpToMap(maps))
	{
		s_off = maps.GetNum("off") != 0;
		s_stages = maps.GetNum("stages") != 0;
		Rule_TakeMap(maps);
		maps.GetString("mode", value, sizeof(value));
		for (int i = 0; i < sizeof(s_names); i++)
		{
			if (StrEqual(value, s_names[i]))
			{
				s_forced = true;
				s_forcedMode = view_as<Mode>(i);
			}
		}
		if (value[0] != '\0' && !s_forced)
		{
			LogError("configs/rbs_maps.cfg: unknown mode %s for the map %s.", value, g_map);
		}
	}
	delete maps;
	Mode_Find();
}

/** Goes to the map's own section or, without one, to that of the longest prefix: a key that ends with the character *. */
static bool Mode_JumpToMap(KeyValues maps)
{
	if (maps.JumpToKey(g_map))
	{
		return true;
	}
	char key[MAP_KEY];
	for (int length = strlen(g_map); length >= 0; length--)
	{
		strcopy(key, length + 1, g_map);
		StrCat(key, sizeof(key), "*");
		if (maps.JumpToKey(key))
		{
			return true;
		}
	}
	return false;
}

/**
 * The round goes live. Modes of one against all, such as hunts for a boss, have teams that no ordinary round has: they
 * differ by at least three, and by more than a third of the larger team.
 */
void Mode_OnDoors()
{
	int red = GetTeamClientCount(TEAM_RED), blu = GetTeamClientCount(TEAM_BLU);
	int difference = Number_Absolute(red - blu);
	s_oneSided = difference >= 3 && 3 * difference > (red > blu ? red : blu);
	if (s_oneSided)
	{
		Log_Done("The round does not count and leads to no scramble, because it began with %d against %d players.", red, blu);
	}
}

/** Returns whether the sizes of the teams at the start of the round were those of one against all. */
bool Mode_IsOneSided()
{
	return s_oneSided;
}

/** Updates the mode. Called at each round, because entities may come and go. */
void Mode_Find()
{
	g_mode = s_forced ? s_forcedMode : Mode_OfEntities();
}

static Mode Mode_OfEntities()
{
	if (Mode_Has("tf_logic_mann_vs_machine"))
	{
		return Mode_Mvm;
	}
	if (Mode_Has("tf_logic_arena"))
	{
		return Mode_Arena;
	}
	if (Mode_Has("tf_logic_koth"))
	{
		return Mode_Koth;
	}
	if (Mode_Has("tf_logic_robot_destruction") || Mode_Has("tf_logic_player_destruction") || Mode_Has("passtime_logic"))
	{
		return Mode_Other;
	}
	int red, blu;
	Mode_CountTeams("team_train_watcher", "m_iTeamNum", red, blu);
	if (red + blu > 0)
	{
		return red > 0 && blu > 0 ? Mode_Race : Mode_Payload;
	}
	Mode_CountTeams("team_control_point", "m_iDefaultOwner", red, blu);
	if (red > 0 && blu > 0)
	{
		return Mode_Points;
	}
	if (red > 0)
	{
		return Mode_Attack;
	}
	Mode_CountTeams("item_teamflag", "m_iTeamNum", red, blu);
	return red > 0 && blu > 0 ? Mode_Ctf : Mode_Other;
}

static bool Mode_Has(const char[] name)
{
	return FindEntityByClassname(-1, name) != -1;
}

static void Mode_CountTeams(const char[] name, const char[] property, int &red, int &blu)
{
	red = 0;
	blu = 0;
	int entity = -1;
	while ((entity = FindEntityByClassname(entity, name)) != -1)
	{
		int team = HasEntProp(entity, Prop_Data, property) ? GetEntProp(entity, Prop_Data, property) : 0;
		red += team == TEAM_RED ? 1 : 0;
		blu += team == TEAM_BLU ? 1 : 0;
	}
}
