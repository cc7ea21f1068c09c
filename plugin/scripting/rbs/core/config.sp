// SPDX-License-Identifier: GPL-3.0-or-later
//
// The convars of every build. SourceMod writes them to cfg/sourcemod/rbs.cfg, which is executed after server.cfg. The
// convars that differ between servers are not written there, because an empty value would override the one from
// server.cfg.

ConVar g_cvEnabled;
ConVar g_cvUrl;
ConVar g_cvSecret;
ConVar g_cvServer;
ConVar g_cvPage;
ConVar g_cvTimeout;
ConVar g_cvRate;
ConVar g_cvRateWithBots;
ConVar g_cvStats;
ConVar g_cvLeastPlayers;
ConVar g_cvQueue;
ConVar g_cvChat;
ConVar g_cvLog;

static char s_secretFile[256];

void Config_Create()
{
	CreateConVar("rbs_version", PLUGIN_VERSION, "The version of the plugin.", FCVAR_NOTIFY | FCVAR_DONTRECORD);
	g_cvEnabled = Config_Switch("rbs_enabled", "1", "1 turns the plugin on, 0 turns it off.");
	g_cvUrl = CreateConVar("rbs_url", "http://127.0.0.1:8080", "The address of the RBS service.", FCVAR_DONTRECORD);
	g_cvSecret = CreateConVar("rbs_secret", "", "The game server secret of RBS. If empty, the first line of configs/rbs_secret.txt is used.", FCVAR_PROTECTED | FCVAR_DONTRECORD);
	g_cvServer = CreateConVar("rbs_server", "", "This server's name in RBS: letters, digits, dot, _ and -.", FCVAR_DONTRECORD);
	g_cvPage = CreateConVar("rbs_page", "", "The public address of RBS that !rank and !top show as a link. If empty, they show no link.", FCVAR_DONTRECORD);
	g_cvTimeout = Config_Number("rbs_timeout", "10", "Timeout of a request in seconds.", 1.0, 60.0);
	g_cvRate = Config_Switch("rbs_rate", "1", "1: report rounds to RBS, which rates the players by them.");
	g_cvRateWithBots = Config_Switch("rbs_rate_with_bots", "0", "1: rounds that began with bots on the teams count too.");
	g_cvStats = Config_Number("rbs_stats", "1", "Scoreboards in the reports of rounds: 0: none; 1: score, kills, deaths and assists; 2: also damage and healing, which the service must declare.", 0.0, 2.0);
	g_cvLeastPlayers = Config_Number("rbs_least_players", "2", "A round counts only if at least this many players are on the teams at its start.", 2.0, 100.0);
	g_cvQueue = Config_Number("rbs_queue", "64", "Unsent rounds kept in memory; older ones go to a file for rbs import.", 1.0, 64.0);
	g_cvChat = Config_Switch("rbs_chat", "1", "1: show ratings, win chances and scrambles in chat.");
	g_cvLog = Config_Number("rbs_log", "1", "What is logged besides errors: 0 nothing, 1 actions, 2 actions and requests.", 0.0, 2.0);

	g_cvUrl.AddChangeHook(Config_OnIdentity);
	g_cvSecret.AddChangeHook(Config_OnIdentity);
	g_cvServer.AddChangeHook(Config_OnIdentity);
	g_cvEnabled.AddChangeHook(Config_OnEnabled);
	g_cvQueue.AddChangeHook(Config_OnQueue);
}

ConVar Config_Switch(const char[] name, const char[] value, const char[] text)
{
	return CreateConVar(name, value, text, _, true, 0.0, true, 1.0);
}

ConVar Config_Number(const char[] name, const char[] value, const char[] text, float least, float most)
{
	return CreateConVar(name, value, text, _, true, least, true, most);
}

/** Applies the settings, at the start of a map and when the address, secret or name changes. */
void Config_Apply()
{
	Config_ReadSecretFile();
	// One byte longer than a valid name, so that a name that is too long is detected.
	char server[SERVER_LENGTH + 1];
	g_cvServer.GetString(server, sizeof(server));
	if (!Config_IsName(server))
	{
		server[0] = '\0';
	}
	if (!StrEqual(server, g_server))
	{
		strcopy(g_server, sizeof(g_server), server);
		Queue_Open();
	}
	Service_Forget();
	Config_TellWhatIsMissing();
}

public void Config_OnIdentity(ConVar convar, const char[] before, const char[] after)
{
	if (g_configured)
	{
		Config_Apply();
		Hello_Ask();
		Send_Soon();
	}
}

public void Config_OnEnabled(ConVar convar, const char[] before, const char[] after)
{
	if (g_configured)
	{
		Part_OnEnabled();
		Hello_Ask();
		Send_Soon();
	}
}

public void Config_OnQueue(ConVar convar, const char[] before, const char[] after)
{
	Queue_Trim();
}

static void Config_ReadSecretFile()
{
	s_secretFile[0] = '\0';
	char path[PLATFORM_MAX_PATH];
	BuildPath(Path_SM, path, sizeof(path), "configs/rbs_secret.txt");
	if (!FileExists(path))
	{
		return;
	}
	File file = OpenFile(path, "r");
	if (file == null)
	{
		LogError("%s cannot be read.", path);
		return;
	}
	if (file.ReadLine(s_secretFile, sizeof(s_secretFile)))
	{
		TrimString(s_secretFile);
	}
	delete file;
}

void Config_Secret(char[] secret, int length)
{
	g_cvSecret.GetString(secret, length);
	TrimString(secret);
	if (secret[0] == '\0')
	{
		strcopy(secret, length, s_secretFile);
	}
}

void Config_Url(char[] url, int length)
{
	g_cvUrl.GetString(url, length);
	TrimString(url);
	int end = strlen(url);
	while (end > 0 && url[end - 1] == '/')
	{
		url[--end] = '\0';
	}
}

/** Returns whether a name has 1 to 64 letters, digits, '.', '_' and '-'. */
bool Config_IsName(const char[] name)
{
	int i = 0;
	for (; name[i] != '\0'; i++)
	{
		if (!IsCharAlpha(name[i]) && !IsCharNumeric(name[i]) && name[i] != '.' && name[i] != '_' && name[i] != '-')
		{
			return false;
		}
	}
	return i > 0 && i < SERVER_LENGTH;
}

/** Writes the name of the first required convar that is not set, or an empty string. */
void Config_Missing(char[] name, int length)
{
	char value[256];
	name[0] = '\0';
	Config_Url(value, sizeof(value));
	if (StrContains(value, "http://", false) != 0 && StrContains(value, "https://", false) != 0)
	{
		strcopy(name, length, "rbs_url");
		return;
	}
	Config_Secret(value, sizeof(value));
	if (value[0] == '\0')
	{
		strcopy(name, length, "rbs_secret");
		return;
	}
	if (g_server[0] == '\0')
	{
		strcopy(name, length, "rbs_server");
	}
}

bool Config_IsComplete()
{
	char name[16];
	Config_Missing(name, sizeof(name));
	return name[0] == '\0';
}

static void Config_TellWhatIsMissing()
{
	char name[16];
	Config_Missing(name, sizeof(name));
	if (name[0] != '\0' && g_cvEnabled.BoolValue)
	{
		LogError("%s is not set or has an invalid value, so nothing is sent to RBS. See plugin/README.md, then run sm_rbs_check.", name);
	}
}
