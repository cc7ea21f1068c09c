// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files of rounds, one per line, in the format of `rbs import`. Each file name contains the server's name, because
// several servers often share one folder.

// Maximum length of a line. A round with 128 players and their scoreboards takes less than 26,000 bytes.
#define ROUND_LENGTH 32768

static char s_line[ROUND_LENGTH];

void Files_Path(char[] path, int length, const char[] kind, const char[] ending)
{
	BuildPath(Path_SM, path, length, "data/rbs");
	if (!DirExists(path))
	{
		// Readable by everybody, writable by the game server.
		CreateDirectory(path, 0o755);
	}
	BuildPath(Path_SM, path, length, "data/rbs/%s.%s.%s", kind, g_server, ending);
}

static bool Files_WriteRound(File file, JSONObject round)
{
	return round.ToString(s_line, sizeof(s_line), JSON_COMPACT) && file.WriteString(s_line, false) && file.WriteString("\n", false);
}

bool Files_Append(const char[] path, JSONObject round)
{
	File file = OpenFile(path, "a");
	if (file == null)
	{
		return false;
	}
	bool written = Files_WriteRound(file, round) && file.Flush();
	delete file;
	return written;
}

/** Replaces a file atomically: after an interruption, the old or the new file exists. */
bool Files_Write(const char[] path, ArrayList rounds)
{
	char next[PLATFORM_MAX_PATH];
	FormatEx(next, sizeof(next), "%s.new", path);
	File file = OpenFile(next, "w");
	if (file == null)
	{
		return false;
	}
	bool written = true;
	for (int i = 0; written && i < rounds.Length; i++)
	{
		written = Files_WriteRound(file, rounds.Get(i));
	}
	written = written && file.Flush();
	delete file;
	if (!written)
	{
		DeleteFile(next);
		return false;
	}
	if (RenameFile(path, next))
	{
		return true;
	}
	// On Windows, renaming fails if the target exists.
	Files_Delete(path);
	return RenameFile(path, next);
}

void Files_Delete(const char[] path)
{
	if (FileExists(path))
	{
		DeleteFile(path);
	}
}

/** Adds the rounds of a file to `rounds`. Renames the file and returns false if a line is not a valid round. */
bool Files_Read(const char[] path, ArrayList rounds)
{
	File file = OpenFile(path, "r");
	bool good = file != null;
	int lines = 0;
	while (file != null && !file.EndOfFile() && file.ReadLine(s_line, sizeof(s_line)))
	{
		lines++;
		JSONObject round = Files_Parse();
		if (round == null)
		{
			good = false;
		}
		else
		{
			rounds.Push(round);
		}
	}
	if (file != null)
	{
		delete file;
	}
	if (!good || lines == 0)
	{
		char aside[PLATFORM_MAX_PATH];
		FormatEx(aside, sizeof(aside), "%s.unreadable-%d", path, GetTime());
		RenameFile(aside, path);
		LogError("%s has lines that are no rounds. The valid rounds are sent; the file is kept as %s.", path, aside);
		return false;
	}
	return true;
}

/** Parses s_line and returns the round, or null. Uses a separate call, because invalid JSON throws an error. */
static JSONObject Files_Parse()
{
	JSONObject round = null;
	Call_StartFunction(null, Files_ParseLine);
	if (Call_Finish(round) != SP_ERROR_NONE || round == null)
	{
		return null;
	}
	if (Json_Has(round, "round_id") && Json_Has(round, "server"))
	{
		return round;
	}
	delete round;
	return null;
}

public JSONObject Files_ParseLine()
{
	return JSONObject.FromString(s_line);
}
