// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rounds that the service has not confirmed yet, oldest first, in memory and in a file that is written before each
// attempt. After a crash at any time, each round is in at least one place. A round that is in two places is sent twice
// with the same id, and the service counts it once. Rounds beyond rbs_queue and rounds that the service refuses go to
// separate files.

static ArrayList s_rounds;
static bool s_unsaved;       // the file is outdated, because it cannot be written
static bool s_appendFailed;

void Queue_Create()
{
	s_rounds = new ArrayList();
}

int Queue_Length()
{
	return s_rounds.Length;
}

/** Returns a round. The queue keeps the handle; the caller must not close it. */
JSONObject Queue_Get(int index)
{
	return s_rounds.Get(index);
}

void Queue_Id(int index, char[] id, int length)
{
	Json_String(Queue_Get(index), "round_id", id, length);
}

/** Adds a round and takes ownership of its handle. */
void Queue_Add(JSONObject round)
{
	s_rounds.Push(round);
	Queue_Trim();
	Queue_Save();
}

int Queue_Find(const char[] id)
{
	char other[ROUND_ID_LENGTH];
	for (int i = 0; i < s_rounds.Length; i++)
	{
		Queue_Id(i, other, sizeof(other));
		if (StrEqual(id, other))
		{
			return i;
		}
	}
	return -1;
}

void Queue_Remove(int index)
{
	JSONObject round = Queue_Get(index);
	s_rounds.Erase(index);
	delete round;
}

/** Moves a refused round to a file. If the file cannot be written, keeps the round and returns false. */
bool Queue_Refuse(int index, const char[] why)
{
	char id[ROUND_ID_LENGTH];
	Queue_Id(index, id, sizeof(id));
	if (Queue_Append("refused", index))
	{
		LogError("RBS refused the round %s: %s (It is in data/rbs/refused.%s.jsonl. Correct it there, then run rbs import.)", id, why, g_server);
		Queue_Remove(index);
		return true;
	}
	return false;
}

/** Moves the oldest rounds beyond rbs_queue to a file. */
void Queue_Trim()
{
	int moved = 0;
	while (s_rounds.Length > g_cvQueue.IntValue && Queue_Append("overflow", 0))
	{
		Queue_Remove(0);
		moved++;
	}
	if (moved > 0)
	{
		LogError("The queue is full (rbs_queue). Its %d oldest rounds are now in data/rbs/overflow.%s.jsonl. Run rbs import.", moved, g_server);
		Queue_Save();
	}
}

static bool Queue_Append(const char[] kind, int index)
{
	char path[PLATFORM_MAX_PATH];
	Files_Path(path, sizeof(path), kind, "jsonl");
	bool written = g_server[0] != '\0' && Files_Append(path, Queue_Get(index));
	if (!written && !s_appendFailed)
	{
		LogError("%s cannot be written, so the round stays in the queue. Check disk space and permissions.", path);
	}
	s_appendFailed = !written;
	return written;
}

void Queue_Save()
{
	if (g_server[0] == '\0')
	{
		return;
	}
	char path[PLATFORM_MAX_PATH];
	Files_Path(path, sizeof(path), "queue", "jsonl");
	bool saved = true;
	if (s_rounds.Length == 0)
	{
		Files_Delete(path);
	}
	else
	{
		saved = Files_Write(path, s_rounds);
	}
	if (!saved && !s_unsaved)
	{
		LogError("%s cannot be written. Rounds are in memory only, and a crash would lose them. Check disk space and permissions.", path);
	}
	s_unsaved = !saved;
}

/** Loads the queue of the current server name. The rounds of the previous name stay in their file. */
void Queue_Open()
{
	while (!s_unsaved && s_rounds.Length > 0)
	{
		Queue_Remove(s_rounds.Length - 1);
	}
	Void_Note("");
	if (g_server[0] == '\0')
	{
		return;
	}
	char path[PLATFORM_MAX_PATH], next[PLATFORM_MAX_PATH];
	Files_Path(path, sizeof(path), "queue", "jsonl");
	FormatEx(next, sizeof(next), "%s.new", path);
	// A crash before the rename leaves a newer, perhaps incomplete file. Rounds in both files are loaded once.
	Queue_Load(path);
	Queue_Load(next);
	Files_Delete(next);
	if (s_rounds.Length > 0)
	{
		Log_Done("Rounds from an earlier session waiting to be sent: %d.", s_rounds.Length);
		Queue_Trim();
		Queue_Save();
	}
}

static void Queue_Load(const char[] path)
{
	if (!FileExists(path))
	{
		return;
	}
	ArrayList found = new ArrayList();
	Files_Read(path, found);
	char id[ROUND_ID_LENGTH];
	for (int i = 0; i < found.Length; i++)
	{
		JSONObject round = found.Get(i);
		Json_String(round, "round_id", id, sizeof(id));
		if (Queue_Find(id) >= 0)
		{
			delete round;
		}
		else
		{
			s_rounds.Push(round);
		}
	}
	delete found;
}
