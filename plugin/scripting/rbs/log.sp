// SPDX-License-Identifier: GPL-3.0-or-later
//
// The log, as far as rbs_log wants it. Errors go there in any case, by LogError.

/** What the plugin has done, for the log. */
void Log_Done(const char[] format, any ...)
{
	if (g_cvLog.IntValue >= 1)
	{
		char text[512];
		VFormat(text, sizeof(text), format, 2);
		LogMessage("%s", text);
	}
}

void Log_Detail(const char[] format, any ...)
{
	if (g_cvLog.IntValue >= 2)
	{
		char text[512];
		VFormat(text, sizeof(text), format, 2);
		LogMessage("%s", text);
	}
}
