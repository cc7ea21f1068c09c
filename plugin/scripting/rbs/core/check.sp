// SPDX-License-Identifier: GPL-3.0-or-later
//
// sm_rbs_check: reports problems with the settings.

// Tolerated clock difference. The service refuses rounds from more than ten minutes in the future.
#define CLOCK_SECONDS 300

void Check_Tell(int client, Verdict verdict, JSONObject data, const char[] detail)
{
	char path[PLATFORM_MAX_PATH];
	switch (verdict)
	{
		case Verdict_Done:
		{
			Check_TellGood(client, data);
		}
		case Verdict_Denied:
		{
			Chat_Reply(client, "%t", "Check denied", g_server, detail);
		}
		case Verdict_Wrong:
		{
			Config_Url(path, sizeof(path));
			Chat_Reply(client, "%t", "Check wrong", path, detail);
		}
		case Verdict_Later:
		{
			Config_Url(path, sizeof(path));
			Chat_Reply(client, "%t", Http_IsForeign() ? "Check other" : "Check away", path, detail);
		}
		case Verdict_Refused:
		{
			Chat_Reply(client, "%t", "Check refused", detail);
		}
	}
	Check_TellQueue(client);
}

static void Check_TellGood(int client, JSONObject data)
{
	char pool[65], policy[65];
	Hello_Pool(pool, sizeof(pool));
	Hello_Policy(policy, sizeof(policy));
	bool good = true;
	Chat_Reply(client, "%t", "Check answers", g_server, pool, policy);
	if (!Hello_IsDeclared())
	{
		good = false;
		Chat_Reply(client, "%t", "Check not declared", g_server);
	}
	int ahead = Check_ClockDifference(data);
	if (Number_Absolute(ahead) > CLOCK_SECONDS)
	{
		good = false;
		Chat_Reply(client, "%t", ahead > 0 ? "Check clock ahead" : "Check clock behind", Number_Absolute(ahead));
	}
	if (Check_IsTooOld(data))
	{
		good = false;
		Chat_Reply(client, "%t", "Check too old", PLUGIN_VERSION);
	}
	if (!Round_IsOurs())
	{
		good = false;
		Chat_Reply(client, "%t", "State idle");
	}
	if (good)
	{
		Chat_Reply(client, "%t", "Check good");
	}
}

static void Check_TellQueue(int client)
{
	if (Queue_Length() > 0)
	{
		Chat_Reply(client, "%t", "State queue", Queue_Length(), g_cvQueue.IntValue);
	}
	char path[PLATFORM_MAX_PATH];
	Files_Path(path, sizeof(path), "refused", "jsonl");
	if (FileExists(path))
	{
		Chat_Reply(client, "%t", "Check file", path);
	}
	Files_Path(path, sizeof(path), "overflow", "jsonl");
	if (FileExists(path))
	{
		Chat_Reply(client, "%t", "Check file", path);
	}
}

/** Returns whether this version is older than the oldest one that the service supports. */
bool Check_IsTooOld(JSONObject data)
{
	JSONObject versions = Json_Object(data, "plugin");
	if (versions == null)
	{
		return false;
	}
	char least[33];
	Json_String(versions, "least", least, sizeof(least));
	delete versions;
	return Check_IsBefore(PLUGIN_VERSION, least);
}

/** Returns the seconds by which this machine's clock is ahead of the service's. */
int Check_ClockDifference(JSONObject data)
{
	char time[40];
	return Json_String(data, "time", time, sizeof(time)) ? GetTime() - Check_ReadTime(time) : 0;
}

/** Returns whether a version such as 1.2.3 is lower than another one. */
static bool Check_IsBefore(const char[] version, const char[] other)
{
	int i = 0, j = 0;
	for (int part = 0; part < 3; part++)
	{
		int ours, theirs;
		i += StringToIntEx(version[i], ours);
		j += StringToIntEx(other[j], theirs);
		if (ours != theirs)
		{
			return ours < theirs;
		}
		i += version[i] == '.' ? 1 : 0;
		j += other[j] == '.' ? 1 : 0;
	}
	return false;
}

/** Returns the Unix time of a UTC time such as 2026-11-24T09:00:00.123456Z. */
static int Check_ReadTime(const char[] text)
{
	int part[6];
	int at = 0;
	for (int i = 0; i < sizeof(part); i++)
	{
		at += StringToIntEx(text[at], part[i]);
		at += text[at] == '\0' ? 0 : 1;
	}
	// Count years from March, so that the leap day is the last day of a year.
	int year = part[1] < 3 ? part[0] - 1 : part[0];
	int month = (part[1] + 9) % 12;
	int days = 365 * year + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + part[2] - 1 - 719468;
	return ((days * 24 + part[3]) * 60 + part[4]) * 60 + part[5];
}
