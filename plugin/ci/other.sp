// SPDX-License-Identifier: GPL-3.0-or-later
//
// A plugin that uses rbs.inc, so that CI compiles the include file too.

#include <sourcemod>
#undef REQUIRE_PLUGIN
#include <rbs>

#pragma semicolon 1
#pragma newdecls required

public Action RBS_OnBalance(int client, int team)
{
	return RBS_GetRating(client) != RBS_UNKNOWN_RATING && RBS_IsRatingVisible(client) && RBS_GetRounds(client) > 0 ? Plugin_Handled : Plugin_Continue;
}

public void RBS_OnScrambled(RBS_Reason reason, int moved)
{
	PrintToServer("%d %d %f", reason, moved, RBS_GetWinProbability(2));
}
