// SPDX-License-Identifier: GPL-3.0-or-later
//
// The state of the connection to the service. A change is logged once, not with every request.

enum Health
{
	Health_Unknown = 0,
	Health_Up,
	Health_Away,
	Health_Denied,
	Health_Wrong
};

static Health s_health;
static char s_why[256];

Health Service_Health()
{
	return s_health;
}

/** Writes the last error message of the service, or an empty string. */
void Service_Why(char[] why, int length)
{
	strcopy(why, length, s_why);
}

/** Returns whether requests may be sent. After a wrong secret or address, nothing is sent until a setting changes. */
bool Service_MayAsk()
{
	return g_configured && g_cvEnabled.BoolValue && Config_IsComplete() && s_health != Health_Denied && s_health != Health_Wrong;
}

/** A setting changed: forget the last error. */
void Service_Forget()
{
	s_health = Health_Unknown;
	s_why[0] = '\0';
}

void Service_Note(Verdict verdict, const char[] detail)
{
	Health health;
	switch (verdict)
	{
		case Verdict_Done, Verdict_Refused:
		{
			health = Health_Up;
		}
		case Verdict_Later:
		{
			health = Health_Away;
		}
		case Verdict_Denied:
		{
			health = Health_Denied;
		}
		case Verdict_Wrong:
		{
			health = Health_Wrong;
		}
	}
	strcopy(s_why, sizeof(s_why), health == Health_Up ? "" : detail);
	if (health == s_health)
	{
		return;
	}
	bool wasAway = s_health == Health_Away;
	s_health = health;
	switch (health)
	{
		case Health_Up:
		{
			if (wasAway)
			{
				Log_Done("RBS answers again.");
				Hello_Ask();
			}
		}
		case Health_Away:
		{
			if (Http_IsForeign())
			{
				LogError("The answers from rbs_url do not come from RBS: %s. Rounds are saved, and sent once RBS answers. Check rbs_url and the proxy in front of RBS, then run sm_rbs_check.", detail);
				return;
			}
			Log_Done("RBS does not answer: %s. Rounds are saved and sent later; scrambles use the last teams received.", detail);
		}
		case Health_Denied:
		{
			LogError("RBS rejects rbs_secret, or the name \"%s\" (rbs_server): %s. Rounds are saved. Correct the setting, then run sm_rbs_check.", g_server, detail);
		}
		case Health_Wrong:
		{
			LogError("There is no RBS at rbs_url: %s. Rounds are saved. Correct rbs_url, then run sm_rbs_check.", detail);
		}
	}
}

/** Like Service_Note, for the answer to one round of a batch. */
void Service_NoteOf(Verdict verdict, JSONObject body, int status)
{
	char detail[256];
	if (!Json_String(body, "detail", detail, sizeof(detail)))
	{
		FormatEx(detail, sizeof(detail), "status %d", status);
	}
	Service_Note(verdict, detail);
}
