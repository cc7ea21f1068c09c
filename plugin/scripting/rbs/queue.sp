// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rounds that the service has not confirmed yet, the oldest first, in memory and in a file that is written
// before each attempt. Whatever happens between two writes, a round is in at least one place; what is in two is sent
// twice under one name, which the service counts once. What there is no room for, and what the service refuses, goes
// to files of their own.

static ArrayList s_rounds;
static bool s_unsaved;       // the file is not what is in memory, because it cannot be written
static bool s_appendFailed;

void Queue_Create()
{
	s_rounds = new ArrayList();
}

int Queue_Length()
{
	return s_rounds.Length;
}

/** A handle that stays the queue's. */
JSONObject Queue_Get(int index)
{
	return s_rounds.Get(index);
}

void Queue_Id(int index, char[] id, int length)
{
	Json_String(Queue_Get(index), "round_id", id, length);
}

/** Takes the handle over. */
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

/** Takes a round out that the service will never take. One that no file takes either stays, and the answer is false. */
bool Queue_Refuse(int index, const char[] why)
{
	char id[ROUND_ID_LENGTH];
	Queue_Id(index, id, sizeof(id));
	if (Queue_Append("refused", index))
	{
		LogError("The service refuses the round %s: %s (It is in data/rbs/refused.%s.jsonl. Mend it there, then use rbs import.)", id, why, g_server);
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
		LogError("The queue is full (rbs_queue): its oldest rounds, %d, are in data/rbs/overflow.%s.jsonl now. Use rbs import.", moved, g_server);
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
		LogError("%s cannot be written, so the round stays in the queue. See to space and permissions.", path);
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
		LogError("%s cannot be written: rounds are in memory only, and a crash would lose them. See to space and permissions.", path);
	}
	s_unsaved = !saved;
}

/** Goes on with the rounds of the server of this name. Those of another name stay in its file. */
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
	// Where one was not renamed any more, it is the later one, if it is whole; a round in both is taken once.
	Queue_Load(path);
	Queue_Load(next);
	Files_Delete(next);
	if (s_rounds.Length > 0)
	{
		Log_Done("Rounds of an earlier time that wait for the service: %d.", s_rounds.Length);
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
