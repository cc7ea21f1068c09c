// SPDX-License-Identifier: GPL-3.0-or-later
//
// RBS: ratings, balance, scramble. The callbacks of SourceMod, which dispatch to the other files.

#include <sourcemod>
#include <sdktools>
// Where the extension "TF2 Tools" is not available, a plugin may provide its natives.
#undef REQUIRE_EXTENSIONS
#include <tf2>
#include <tf2_stocks>
#define REQUIRE_EXTENSIONS
#include <ripext>
#undef REQUIRE_PLUGIN
#include <adminmenu>

#pragma semicolon 1
#pragma newdecls required

#include "rbs/core/state.sp"
#include "rbs/tf2/state.sp"
#include "rbs/core/ids.sp"
#include "rbs/core/json.sp"
#include "rbs/core/config.sp"
#include "rbs/tf2/settings.sp"
#include "rbs/tf2/game.sp"
#include "rbs/core/log.sp"
#include "rbs/core/numbers.sp"
#include "rbs/core/chat.sp"
#include "rbs/core/http.sp"
#include "rbs/core/service.sp"
#include "rbs/rounds/files.sp"
#include "rbs/rounds/queue.sp"
#include "rbs/rounds/seats.sp"
#include "rbs/rounds/stats.sp"
#include "rbs/rounds/report.sp"
#include "rbs/rounds/send.sp"
#include "rbs/core/players.sp"
#include "rbs/core/notices.sp"
#include "rbs/core/hello.sp"
#include "rbs/core/check.sp"
#include "rbs/core/answers.sp"
#include "rbs/tf2/scramble/rules.sp"
#include "rbs/tf2/mode.sp"
#include "rbs/tf2/scramble/trigger.sp"
#include "rbs/tf2/scramble/tally.sp"
#include "rbs/tf2/lobby.sp"
#include "rbs/tf2/scramble/bench.sp"
#include "rbs/tf2/parties.sp"
#include "rbs/tf2/medic.sp"
#include "rbs/tf2/immunity.sp"
#include "rbs/tf2/scramble/table.sp"
#include "rbs/tf2/scramble/ask.sp"
#include "rbs/tf2/scramble/prefer.sp"
#include "rbs/tf2/scramble/seating.sp"
#include "rbs/tf2/scramble/pin.sp"
#include "rbs/tf2/teams.sp"
#include "rbs/tf2/balance/lock.sp"
#include "rbs/tf2/scramble/setup.sp"
#include "rbs/tf2/scramble/scramble.sp"
#include "rbs/tf2/balance/plan.sp"
#include "rbs/tf2/scramble/odds.sp"
#include "rbs/tf2/balance/balance.sp"
#include "rbs/tf2/balance/join.sp"
#include "rbs/tf2/balance/stack.sp"
#include "rbs/tf2/votes/vote.sp"
#include "rbs/tf2/votes/poll.sp"
#include "rbs/tf2/votes/native_poll.sp"
#include "rbs/tf2/votes/words.sp"
#include "rbs/tf2/round.sp"
#include "rbs/rounds/void.sp"
#include "rbs/core/ranks.sp"
#include "rbs/core/status.sp"
#include "rbs/tf2/part.sp"
#include "rbs/tf2/commands.sp"
#include "rbs/tf2/menu.sp"
#include "rbs/tf2/api.sp"

public Plugin myinfo =
{
	name = "RBS",
	author = "The RBS developers",
	description = "Rates players by their rounds, and makes and keeps teams balanced.",
	version = PLUGIN_VERSION,
	url = ""
};

public APLRes AskPluginLoad2(Handle self, bool late, char[] error, int length)
{
	if (!Game_IsSupported())
	{
		strcopy(error, length, "rbs.smx is for Team Fortress 2. In other games, use rbs-reporter.smx.");
		return APLRes_Failure;
	}
	Api_Create();
	NativePoll_Allow();
	return APLRes_Success;
}

public void OnPluginStart()
{
	LoadTranslations("common.phrases");
	LoadTranslations("rbs.phrases");
	Queue_Create();
	Send_Create();
	Seats_Create();
	Lock_Create();
	Notices_Create();
	Bench_Create();
	Party_Create();
	Prefer_Create();
	// The number of clients is unknown before the first map, so initialise every slot.
	for (int client = 0; client < SLOTS; client++)
	{
		Players_Forget(client);
	}
	Config_Create();
	Settings_Create();
	Rule_Create();
	AutoExecConfig(true, "rbs");
	Status_Register();
	Commands_Register();
	Game_Hook();
	Round_Hook();
	Join_Hook();
	HookEvent("player_team", OnTeam);
	HookEvent("player_death", OnDeath);
	for (int client = 1; client <= MaxClients; client++)
	{
		if (IsClientInGame(client))
		{
			OnClientPutInServer(client);
		}
	}
}

public void OnAllPluginsLoaded()
{
	if (GetFeatureStatus(FeatureType_Native, "TF2_RespawnPlayer") != FeatureStatus_Available)
	{
		SetFailState("The native TF2_RespawnPlayer is missing. Install the extension TF2 Tools or, in Team Fortress 2 Classic, the plugin tf2c.smx from TF2Classic-Tools.");
	}
	Menu_Find();
}

public void OnLibraryRemoved(const char[] name)
{
	if (StrEqual(name, "adminmenu"))
	{
		Menu_Forget();
	}
}

public void OnPluginEnd()
{
	Game_Restore();
}

public void OnMapStart()
{
	char map[PLATFORM_MAX_PATH];
	GetCurrentMap(map, sizeof(map));
	GetMapDisplayName(map, g_map, sizeof(g_map));
	Round_ForgetMap();
	Scramble_ForgetMap();
	Scramble_Cancel();
	Balance_Forget();
	Lock_Release();
	Vote_ForgetMap();
	Bench_ForgetMap();
	Mode_OnMap();
}

public void OnMapEnd()
{
	// Convars are unreliable until the next map's configuration is executed.
	g_configured = false;
	Round_ForgetMap();
}

public void OnConfigsExecuted()
{
	g_configured = true;
	Config_Apply();
	Game_Adjust();
	Vote_Advertise();
	Hello_Ask();
	Send_Soon();
}

public void OnClientPutInServer(int client)
{
	if (g_account[client] == 0 && IsClientAuthorized(client))
	{
		Players_OnAuthorized(client);
	}
}

public void OnClientAuthorized(int client, const char[] auth)
{
	Players_OnAuthorized(client);
	Join_Return(client);
}

public void OnClientDisconnect(int client)
{
	Seats_Leave(client);
	Plan_ForgetClient(client);
	Balance_Touch();
	Join_Forget(client);
	Tally_Forget(client);
	Vote_Forget(client);
	Party_ForgetInvitation(client);
	Bench_Keep(client);
	Players_Forget(client);
}

public void TF2_OnWaitingForPlayersEnd()
{
	Round_OnWaited();
}

public void OnTeam(Event event, const char[] name, bool dontBroadcast)
{
	int client = GetClientOfUserId(event.GetInt("userid"));
	if (client == 0 || event.GetBool("disconnect"))
	{
		return;
	}
	g_joined[client] = GetGameTime();
	Seats_Join(client, event.GetInt("team"));
	if (!Teams_IsMoving())
	{
		Balance_Touch();
	}
	if (event.GetInt("oldteam") == 0)
	{
		Join_Return(client);
	}
}

public void OnDeath(Event event, const char[] name, bool dontBroadcast)
{
	int client = GetClientOfUserId(event.GetInt("userid"));
	// Ignore the fake death of a spy with the Dead Ringer.
	if (client != 0 && (event.GetInt("death_flags") & TF_DEATHFLAG_DEADRINGER) == 0)
	{
		Stats_OnKill(client, GetClientOfUserId(event.GetInt("attacker")), GetClientOfUserId(event.GetInt("assister")));
		Plan_OnDeath(client);
	}
}
