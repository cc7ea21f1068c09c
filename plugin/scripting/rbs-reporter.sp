// SPDX-License-Identifier: GPL-3.0-or-later
//
// The build of RBS that only rates: for games other than Team Fortress 2 in which team 2 or 3 wins rounds.

#include <sourcemod>
#include <sdktools>
#include <ripext>

#pragma semicolon 1
#pragma newdecls required

#include "rbs/core/state.sp"
#include "rbs/core/ids.sp"
#include "rbs/core/json.sp"
#include "rbs/core/config.sp"
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
#include "rbs/rounds/void.sp"
#include "rbs/core/ranks.sp"
#include "rbs/core/status.sp"
#include "rbs/reporter/round.sp"
#include "rbs/reporter/part.sp"

public Plugin myinfo =
{
	name = "RBS reporter",
	author = "The RBS developers",
	description = "Rates players by their rounds.",
	version = PLUGIN_VERSION,
	url = ""
};

public APLRes AskPluginLoad2(Handle self, bool late, char[] error, int length)
{
	char folder[32];
	GetGameFolderName(folder, sizeof(folder));
	if (GetEngineVersion() == Engine_TF2 || StrContains(folder, "tf2class") == 0)
	{
		strcopy(error, length, "In Team Fortress 2, use rbs.smx instead of rbs-reporter.smx.");
		return APLRes_Failure;
	}
	return APLRes_Success;
}

public void OnPluginStart()
{
	LoadTranslations("common.phrases");
	LoadTranslations("rbs.phrases");
	Queue_Create();
	Send_Create();
	Seats_Create();
	Notices_Create();
	// The number of clients is unknown before the first map, so initialise every slot.
	for (int client = 0; client < SLOTS; client++)
	{
		Players_Forget(client);
	}
	Config_Create();
	AutoExecConfig(true, "rbs");
	Status_Register();
	Round_Hook();
	for (int client = 1; client <= MaxClients; client++)
	{
		if (IsClientInGame(client))
		{
			OnClientPutInServer(client);
		}
	}
}

public void OnMapStart()
{
	char map[PLATFORM_MAX_PATH];
	GetCurrentMap(map, sizeof(map));
	GetMapDisplayName(map, g_map, sizeof(g_map));
	g_round = Round_None;
}

public void OnMapEnd()
{
	// Convars are unreliable until the next map's configuration is executed.
	g_configured = false;
	g_round = Round_None;
}

public void OnConfigsExecuted()
{
	g_configured = true;
	Config_Apply();
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
}

public void OnClientDisconnect(int client)
{
	Seats_Leave(client);
	Players_Forget(client);
}
