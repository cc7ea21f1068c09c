// SPDX-License-Identifier: GPL-3.0-or-later
//
// The values of the scramble rules. A map's section in configs/rbs_maps.cfg can override the convars of the rules.

#define RULES 13

static ConVar s_convars[RULES];
static bool s_overridden[RULES];
static float s_values[RULES];

/** Lists the convars that a map can override. */
void Rule_Create()
{
	ConVar convars[RULES];
	convars[0] = g_cvScramble;
	convars[1] = g_cvScrambleSecond;
	convars[2] = g_cvScrambleStreak;
	convars[3] = g_cvScrambleRounds;
	convars[4] = g_cvScrambleUntouched;
	convars[5] = g_cvScrambleFast;
	convars[6] = g_cvScrambleKills;
	convars[7] = g_cvScrambleScore;
	convars[8] = g_cvScrambleDominations;
	convars[9] = g_cvScrambleOdds;
	convars[10] = g_cvScrambleWaiting;
	convars[11] = g_cvScrambleGap;
	convars[12] = g_cvScrambleLeastPlayers;
	s_convars = convars;
}

void Rule_ForgetMap()
{
	for (int i = 0; i < RULES; i++)
	{
		s_overridden[i] = false;
	}
}

/** Reads the overrides from a section of the maps file. A later section replaces the values of an earlier one. */
void Rule_TakeMap(KeyValues section)
{
	char name[64], value[16];
	for (int i = 0; i < RULES; i++)
	{
		s_convars[i].GetName(name, sizeof(name));
		section.GetString(name, value, sizeof(value));
		if (value[0] != '\0')
		{
			s_overridden[i] = true;
			s_values[i] = Rule_Within(s_convars[i], StringToFloat(value));
		}
	}
}

/** Returns the value within the bounds of the convar. */
static float Rule_Within(ConVar convar, float value)
{
	float bound;
	if (convar.GetBounds(ConVarBound_Lower, bound) && value < bound)
	{
		return bound;
	}
	return convar.GetBounds(ConVarBound_Upper, bound) && value > bound ? bound : value;
}

/** Returns the map's override of a rule's convar, else the convar's value. */
float Rule_Value(ConVar convar)
{
	for (int i = 0; i < RULES; i++)
	{
		if (s_convars[i] == convar && s_overridden[i])
		{
			return s_values[i];
		}
	}
	return convar.FloatValue;
}

int Rule_Number(ConVar convar)
{
	return RoundToFloor(Rule_Value(convar));
}

bool Rule_IsOn(ConVar convar)
{
	return Rule_Value(convar) != 0.0;
}
