// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is known of the service. A change is logged once, not with every request.

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

/** Why the service is not up, in the words of the last answer. */
void Service_Why(char[] why, int length)
{
	strcopy(why, length, s_why);
}

/** After a refusal of the secret or the address nothing is sent until somebody has changed something. */
bool Service_MayAsk()
{
	return g_configured && g_cvEnabled.BoolValue && Config_IsComplete() && s_health != Health_Denied && s_health != Health_Wrong;
}

/** Something was changed: everything may work now. */
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
				Log_Done("The service answers again.");
				Hello_Ask();
			}
		}
		case Health_Away:
		{
			Log_Done("The service does not answer: %s. Rounds are kept and sent later; teams come from the last table.", detail);
		}
		case Health_Denied:
		{
			LogError("The service refuses rbs_secret, or the name \"%s\" (rbs_server): %s. Rounds are kept. Mend it, then run sm_rbs_check.", g_server, detail);
		}
		case Health_Wrong:
		{
			LogError("There is no RBS at rbs_url: %s. Rounds are kept. Mend rbs_url, then run sm_rbs_check.", detail);
		}
	}
}

/** The same for an answer that stands in another one. */
void Service_NoteOf(Verdict verdict, JSONObject body, int status)
{
	char detail[256];
	if (!Json_String(body, "detail", detail, sizeof(detail)))
	{
		FormatEx(detail, sizeof(detail), "status %d", status);
	}
	Service_Note(verdict, detail);
}
