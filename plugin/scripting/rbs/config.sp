// SPDX-License-Identifier: GPL-3.0-or-later
//
// The convars. SourceMod writes them to cfg/sourcemod/rbs.cfg and executes that after server.cfg. What a server has for
// itself is never written there, so that no empty value of that file follows the one of server.cfg.

ConVar g_cvEnabled;
ConVar g_cvUrl;
ConVar g_cvSecret;
ConVar g_cvServer;
ConVar g_cvTimeout;
ConVar g_cvRate;
ConVar g_cvRateStages;
ConVar g_cvRateWithBots;
ConVar g_cvLeastPlayers;
ConVar g_cvQueue;
ConVar g_cvScramble;
ConVar g_cvScrambleSecond;
ConVar g_cvScrambleStreak;
ConVar g_cvScrambleRounds;
ConVar g_cvScrambleUntouched;
ConVar g_cvScrambleWaiting;
ConVar g_cvScrambleGap;
ConVar g_cvScrambleLeastPlayers;
ConVar g_cvTolerance;
ConVar g_cvPartyPrice;
ConVar g_cvLock;
ConVar g_cvBalance;
ConVar g_cvBalanceDelay;
ConVar g_cvBalanceImmunity;
ConVar g_cvPlace;
ConVar g_cvVote;
ConVar g_cvVoteDelay;
ConVar g_cvChat;
ConVar g_cvLog;
ConVar g_cvDryRun;

static char s_secretFile[256];

void Config_Create()
{
	CreateConVar("rbs_version", PLUGIN_VERSION, "The version of the plugin.", FCVAR_NOTIFY | FCVAR_DONTRECORD);
	g_cvEnabled = Config_Switch("rbs_enabled", "1", "Whether the plugin does anything at all.");
	g_cvUrl = CreateConVar("rbs_url", "http://127.0.0.1:8080", "The address of the service.", FCVAR_DONTRECORD);
	g_cvSecret = CreateConVar("rbs_secret", "", "The service's secret for game servers. Where it is empty, the first line of configs/rbs_secret.txt is.", FCVAR_PROTECTED | FCVAR_DONTRECORD);
	g_cvServer = CreateConVar("rbs_server", "", "This server's name at the service: letters, digits, dot, _ and -.", FCVAR_DONTRECORD);
	g_cvTimeout = Config_Number("rbs_timeout", "10", "Seconds that a request may take.", 1.0, 60.0);
	g_cvRate = Config_Switch("rbs_rate", "1", "Whether rounds are reported, so that players are rated by them.");
	g_cvRateStages = Config_Switch("rbs_rate_stages", "0", "Whether each stage of a map with several is a round of its own.");
	g_cvRateWithBots = Config_Switch("rbs_rate_with_bots", "0", "Whether a round counts that began with bots on the teams.");
	g_cvLeastPlayers = Config_Number("rbs_least_players", "2", "With fewer players on the teams when the doors open, a round does not count.", 2.0, 100.0);
	g_cvQueue = Config_Number("rbs_queue", "64", "Rounds that wait for the service in memory; older ones go to a file for rbs import.", 1.0, 64.0);
	g_cvScramble = Config_Switch("rbs_scramble", "1", "Whether teams are scrambled by the rules below. Votes and admins may in any case.");
	g_cvScrambleSecond = Config_Switch("rbs_scramble_second", "1", "Arena: whether teams are scrambled before the second round of a map.");
	g_cvScrambleStreak = Config_Number("rbs_scramble_streak", "3", "Arena: scramble after so many wins of one team in a row, 0 for never.", 0.0, 20.0);
	g_cvScrambleRounds = Config_Number("rbs_scramble_rounds", "2", "Attack and defend, payload: scramble after so many full rounds, 0 for never.", 0.0, 20.0);
	g_cvScrambleUntouched = Config_Switch("rbs_scramble_untouched", "1", "Not arena: whether teams are scrambled where the loser took no point, or no flag.");
	g_cvScrambleWaiting = Config_Switch("rbs_scramble_waiting", "1", "Not arena: whether teams are scrambled when waiting for players ends.");
	g_cvScrambleGap = Config_Number("rbs_scramble_gap", "0", "After a scramble so many full rounds end without another one by a rule; 1 means never two in a row. The second round of arena is always scrambled.", 0.0, 20.0);
	g_cvScrambleLeastPlayers = Config_Number("rbs_scramble_least_players", "4", "With fewer players there is no scramble.", 4.0, 100.0);
	g_cvTolerance = Config_Number("rbs_tolerance", "24", "Rating points by which teams may differ more than they must, so that turns to wait are fair and the same teams do not come again.", 0.0, 1000.0);
	g_cvPartyPrice = Config_Number("rbs_party_price", "100", "Rating points that keeping parties together may cost.", 0.0, 10000.0);
	g_cvLock = Config_Switch("rbs_lock", "1", "Whether players stay on the team of a scramble until the round ends, also when they reconnect.");
	g_cvBalance = Config_Switch("rbs_balance", "1", "Not arena: whether players are moved during a round when the teams are unbalanced.");
	g_cvBalanceDelay = Config_Number("rbs_balance_delay", "3", "Seconds after a change of the teams before the service is asked about them.", 1.0, 60.0);
	g_cvBalanceImmunity = Config_Switch("rbs_balance_immunity", "1", "Whether carriers of a flag, medics with half a charge, engineers with buildings, and admins with the override rbs_immunity are not moved.");
	g_cvPlace = Config_Switch("rbs_place", "1", "Not arena: whether the service says which team somebody who joins goes to.");
	g_cvVote = Config_Number("rbs_vote", "0.6", "The share of the players who have to say !votescramble, 0 for no votes.", 0.0, 1.0);
	g_cvVoteDelay = Config_Number("rbs_vote_delay", "180", "Seconds after a scramble, or the start of a map, before votes count.", 0.0, 3600.0);
	g_cvChat = Config_Switch("rbs_chat", "1", "Whether ratings, odds and scrambles are shown in chat.");
	g_cvLog = Config_Number("rbs_log", "1", "What goes to the log besides errors: 0 nothing, 1 what is done, 2 every request too.", 0.0, 2.0);
	g_cvDryRun = Config_Switch("rbs_dry_run", "0", "Whether nobody is moved, and the log says who would have been. Rounds are reported.");

	g_cvUrl.AddChangeHook(Config_OnIdentity);
	g_cvSecret.AddChangeHook(Config_OnIdentity);
	g_cvServer.AddChangeHook(Config_OnIdentity);
	g_cvEnabled.AddChangeHook(Config_OnEnabled);
	g_cvScramble.AddChangeHook(Config_OnDuty);
	g_cvBalance.AddChangeHook(Config_OnDuty);
	g_cvDryRun.AddChangeHook(Config_OnDuty);
	g_cvQueue.AddChangeHook(Config_OnQueue);
	AutoExecConfig(true, "rbs");
}

static ConVar Config_Switch(const char[] name, const char[] value, const char[] text)
{
	return CreateConVar(name, value, text, _, true, 0.0, true, 1.0);
}

static ConVar Config_Number(const char[] name, const char[] value, const char[] text, float least, float most)
{
	return CreateConVar(name, value, text, _, true, least, true, most);
}

/** What holds from now on: at each start of a map, and when the address, secret or name is changed. */
void Config_Apply()
{
	Config_ReadSecretFile();
	// One byte more than a name has, so that one that is too long is seen to be.
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
		Game_Adjust();
		Hello_Ask();
		Send_Soon();
	}
}

public void Config_OnDuty(ConVar convar, const char[] before, const char[] after)
{
	if (g_configured)
	{
		Game_Adjust();
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

/** 1 to 64 letters, digits, '.', '_' and '-'. */
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

/** The name of the first convar of those that must be set and is not, or an empty string. */
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
		LogError("%s is not set, or is not a value that it can have: nothing is sent. plugin/README.md says how to set it; sm_rbs_check says whether all is right.", name);
	}
}
