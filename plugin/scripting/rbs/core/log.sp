// SPDX-License-Identifier: GPL-3.0-or-later
//
// Logging, depending on rbs_log. Errors are always logged, with LogError.

/** Logs an action, if rbs_log is at least 1. */
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
