// SPDX-License-Identifier: GPL-3.0-or-later
//
// Natives and forwards for other plugins. Documented in scripting/include/rbs.inc.

static GlobalForward s_onDue;
static GlobalForward s_onScramble;
static GlobalForward s_onScrambled;
static GlobalForward s_onBalance;
static GlobalForward s_onRating;
static GlobalForward s_onRoundStart;

void Api_Create()
{
	RegPluginLibrary("rbs");
	CreateNative("RBS_GetRating", Api_GetRating);
	CreateNative("RBS_IsRatingVisible", Api_IsRatingVisible);
	CreateNative("RBS_GetRounds", Api_GetRounds);
	CreateNative("RBS_GetWinProbability", Api_GetWinProbability);
	CreateNative("RBS_GetScrambleDue", Api_GetScrambleDue);
	CreateNative("RBS_RequestScramble", Api_RequestScramble);
	CreateNative("RBS_JoinParty", Api_JoinParty);
	CreateNative("RBS_LeaveParty", Api_LeaveParty);
	s_onDue = new GlobalForward("RBS_OnScrambleDue", ET_Ignore, Param_Cell);
	s_onScramble = new GlobalForward("RBS_OnScramble", ET_Hook, Param_Cell);
	s_onScrambled = new GlobalForward("RBS_OnScrambled", ET_Ignore, Param_Cell, Param_Cell);
	s_onBalance = new GlobalForward("RBS_OnBalance", ET_Hook, Param_Cell, Param_Cell);
	s_onRating = new GlobalForward("RBS_OnRatingChanged", ET_Ignore, Param_Cell, Param_Cell, Param_Cell);
	s_onRoundStart = new GlobalForward("RBS_OnRoundStart", ET_Ignore, Param_Cell, Param_Cell, Param_Float);
}

void Api_OnDue(Reason reason)
{
	Call_StartForward(s_onDue);
	Call_PushCell(reason);
	Call_Finish();
}

bool Api_MayScramble(Reason reason)
{
	Action action = Plugin_Continue;
	Call_StartForward(s_onScramble);
	Call_PushCell(reason);
	Call_Finish(action);
	return action < Plugin_Handled;
}

void Api_OnScrambled(Reason reason, int moved)
{
	Call_StartForward(s_onScrambled);
	Call_PushCell(reason);
	Call_PushCell(moved);
	Call_Finish();
}

bool Api_MayBalance(int client, int team)
{
	Action action = Plugin_Continue;
	Call_StartForward(s_onBalance);
	Call_PushCell(client);
	Call_PushCell(team);
	Call_Finish(action);
	return action < Plugin_Handled;
}

void Api_OnRating(int client, int rating, int delta)
{
	Call_StartForward(s_onRating);
	Call_PushCell(client);
	Call_PushCell(rating);
	Call_PushCell(delta);
	Call_Finish();
}

void Api_OnRoundStart(int red, int blu, float redOdds)
{
	Call_StartForward(s_onRoundStart);
	Call_PushCell(red);
	Call_PushCell(blu);
	Call_PushFloat(redOdds);
	Call_Finish();
}

static int Api_Client(int parameter)
{
	int client = GetNativeCell(parameter);
	if (client < 1 || client > MaxClients || !IsClientConnected(client))
	{
		ThrowNativeError(SP_ERROR_NATIVE, "Client %d is not connected.", client);
	}
	return client;
}

public any Api_GetRating(Handle plugin, int count)
{
	return g_rating[Api_Client(1)];
}

public any Api_IsRatingVisible(Handle plugin, int count)
{
	return g_visible[Api_Client(1)];
}

public any Api_GetRounds(Handle plugin, int count)
{
	return g_rounds[Api_Client(1)];
}

public any Api_GetWinProbability(Handle plugin, int count)
{
	float odds = Balance_RedOdds();
	return odds < 0.0 || GetNativeCell(1) == TEAM_RED ? odds : 1.0 - odds;
}

public any Api_GetScrambleDue(Handle plugin, int count)
{
	return g_due;
}

public any Api_RequestScramble(Handle plugin, int count)
{
	if (Round_IsOurs())
	{
		Scramble_Due(Reason_Admin);
	}
	return g_due != Reason_None;
}

public any Api_JoinParty(Handle plugin, int count)
{
	Party_Join(Api_Client(1), Api_Client(2));
	return 0;
}

public any Api_LeaveParty(Handle plugin, int count)
{
	Party_Leave(Api_Client(1));
	return 0;
}
