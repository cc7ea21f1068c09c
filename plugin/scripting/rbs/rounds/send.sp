// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sends the queue: a single round, or as many waiting rounds as fit into one request. The newest round also requests
// the splits for the next round. Only one request is pending at a time, so that rounds arrive in order.

#define BATCH_ROUNDS 32
// Less than the maximum request size of 256 KiB, at 200 bytes per player.
#define BATCH_PLAYERS 1024
#define PAUSE_LEAST 5.0
#define PAUSE_MOST 60.0

static ArrayList s_sent;      // ids of the rounds in the pending request
static int s_serial;          // of the pending request, 0 for none
static float s_deadline;      // engine time after which the request counts as lost
static bool s_withWishes;     // the pending request asks for splits
static bool s_withoutWishes;  // the service refused the last round's request for splits
static int s_most = BATCH_ROUNDS;
static float s_pause = PAUSE_LEAST;
static bool s_toldToWait;     // the service sent Retry-After
static Handle s_timer;
static char s_held[ROUND_ID_LENGTH]; // the round that is not complete yet, empty if none

void Send_Create()
{
	s_sent = new ArrayList(ByteCountToCells(ROUND_ID_LENGTH));
}

bool Send_IsInProgress()
{
	// No answer within twice the timeout: the extension was probably reloaded.
	return s_serial != 0 && GetEngineTime() < s_deadline;
}

/** Keeps a round in the queue until the next call; an empty id releases it. */
void Send_Hold(const char[] id)
{
	strcopy(s_held, sizeof(s_held), id);
}

/** Returns the index of the round that is kept back, or -1. */
int Send_Held()
{
	return s_held[0] == '\0' ? -1 : Queue_Find(s_held);
}

/** Resets the backoff and sends now, because something changed. */
void Send_Soon()
{
	s_pause = PAUSE_LEAST;
	Send_Next();
}

/** Another request was answered, so the service is up. */
void Send_OnSignOfLife()
{
	if (!s_toldToWait)
	{
		Send_Soon();
	}
}

void Send_Next()
{
	if (s_timer != null)
	{
		KillTimer(s_timer);
		s_timer = null;
	}
	s_toldToWait = false;
	if (Queue_Length() == 0 || Send_IsInProgress() || !Service_MayAsk())
	{
		return;
	}
	int count = Send_Choose();
	if (count == 0)
	{
		return;
	}
	bool last = count == Queue_Length();
	s_withWishes = last && !s_withoutWishes && Part_WantsTeams();
	JSONObject newest = Queue_Get(count - 1);
	if (s_withWishes)
	{
		JSONObject wishes = Part_Wishes();
		newest.Set("scramble", wishes);
		delete wishes;
	}
	bool gives = Notices_Give(newest);
	if (count == 1)
	{
		s_serial = Http_Post(Request_Rounds, "/v1/update", newest, g_cvTimeout.IntValue);
	}
	else
	{
		Send_Several(count);
	}
	s_deadline = GetEngineTime() + 2.0 * g_cvTimeout.FloatValue;
	// The queue stores the round without these parts.
	if (s_withWishes)
	{
		newest.Remove("scramble");
	}
	if (gives)
	{
		newest.Remove("notices_seen");
	}
}

/** Selects the rounds of the next request and returns their number. */
static int Send_Choose()
{
	char id[ROUND_ID_LENGTH];
	s_sent.Clear();
	int players = 0;
	for (int i = 0; i < Queue_Length() && i < s_most; i++)
	{
		Queue_Id(i, id, sizeof(id));
		players += Report_Players(Queue_Get(i));
		if (StrEqual(id, s_held) || i > 0 && players > BATCH_PLAYERS)
		{
			break;
		}
		s_sent.PushString(id);
	}
	return s_sent.Length;
}

static void Send_Several(int count)
{
	JSONArray rounds = new JSONArray();
	for (int i = 0; i < count; i++)
	{
		rounds.Push(Queue_Get(i));
	}
	JSONObject body = new JSONObject();
	body.Set("rounds", rounds);
	body.SetString("answers", "brief");
	s_serial = Http_Post(Request_Rounds, "/v1/updates", body, g_cvTimeout.IntValue);
	delete rounds;
	delete body;
}

void Send_OnAnswer(int serial, Verdict verdict, int status, JSONObject data, int retryAfter, const char[] detail)
{
	if (serial != s_serial)
	{
		// A late answer to a lost request. The service recognises its rounds when they are sent again.
		return;
	}
	s_serial = 0;
	int length = Queue_Length();
	switch (verdict)
	{
		case Verdict_Done:
		{
			if (s_sent.Length == 1 ? !Send_TakeOne(data) : !Send_TakeSeveral(data, retryAfter))
			{
				verdict = Verdict_Later;
			}
		}
		case Verdict_Refused:
		{
			if (!Send_TakeRefusal(status, detail))
			{
				verdict = Verdict_Later;
			}
		}
	}
	if (Queue_Length() != length)
	{
		Queue_Save();
	}
	if (verdict == Verdict_Later)
	{
		Send_Later(retryAfter);
	}
	else if (verdict == Verdict_Done || verdict == Verdict_Refused)
	{
		s_pause = PAUSE_LEAST;
		Send_Next();
		if (!Send_IsInProgress() && Send_Held() < 0 && Part_WantsTeams())
		{
			Part_AskTeams();
		}
	}
}

/** Takes the answer to a single round. Returns false if the answer is not from RBS or for another round. */
static bool Send_TakeOne(JSONObject data)
{
	char id[ROUND_ID_LENGTH], answered[ROUND_ID_LENGTH];
	s_sent.GetString(0, id, sizeof(id));
	Json_String(data, "round_id", answered, sizeof(answered));
	if (!StrEqual(id, answered))
	{
		return false;
	}
	Send_Counted(0);
	s_withoutWishes = false;
	s_most = BATCH_ROUNDS;
	Players_TakeRound(data);
	Part_TakeTeams(data);
	Notices_Take(data);
	return true;
}

/** Takes the answer to several rounds. Returns whether every round is counted or refused. */
static bool Send_TakeSeveral(JSONObject data, int &retryAfter)
{
	JSONArray answers = Json_Array(data, "answers");
	if (answers == null)
	{
		return false;
	}
	bool all = answers.Length == s_sent.Length;
	for (int i = 0; i < answers.Length && i < s_sent.Length; i++)
	{
		JSONObject answer = view_as<JSONObject>(answers.Get(i));
		JSONObject body = Json_Object(answer, "body");
		int status = Json_Int(answer, "status");
		Verdict verdict = Http_Judge(status, body);
		if (verdict == Verdict_Done && Json_Has(body, "duplicate") || status == 410)
		{
			Send_Counted(i);
			Part_TakeTeams(body);
			Notices_Take(body);
		}
		else if (verdict == Verdict_Refused)
		{
			all = Send_Refused(i, body, status) && all;
		}
		else
		{
			all = false;
			retryAfter = Json_Int(answer, "retry_after", retryAfter);
			Service_NoteOf(verdict, body, status);
		}
		if (body != null)
		{
			delete body;
		}
		delete answer;
	}
	delete answers;
	// Brief answers do not contain ratings.
	Players_AskAll();
	return all;
}

/**
 * The whole request was refused: because of its only round, the request for splits, or its size. Returns whether the
 * next request will differ.
 */
static bool Send_TakeRefusal(int status, const char[] detail)
{
	char id[ROUND_ID_LENGTH];
	if (status == 410)
	{
		Send_Counted(0);
	}
	else if (s_withWishes && status == 422)
	{
		s_withoutWishes = true;
		LogError("RBS refused the request for teams: %s The round is sent without it.", detail);
	}
	else if (s_sent.Length > 1)
	{
		s_most = s_sent.Length / 2;
	}
	else
	{
		s_withoutWishes = false;
		s_sent.GetString(0, id, sizeof(id));
		int index = Queue_Find(id);
		return index < 0 || Queue_Refuse(index, detail);
	}
	return true;
}

static void Send_Counted(int i)
{
	char id[ROUND_ID_LENGTH];
	s_sent.GetString(i, id, sizeof(id));
	Void_Note(id);
	int index = Queue_Find(id);
	if (index >= 0)
	{
		Queue_Remove(index);
	}
}

/** Handles a refused round of a batch. Returns whether the next request will differ. */
static bool Send_Refused(int i, JSONObject body, int status)
{
	char id[ROUND_ID_LENGTH], detail[256];
	s_sent.GetString(i, id, sizeof(id));
	int index = Queue_Find(id);
	if (index < 0)
	{
		return true;
	}
	if (s_withWishes && status == 422 && i == s_sent.Length - 1)
	{
		s_withoutWishes = true;
		return true;
	}
	if (!Json_String(body, "detail", detail, sizeof(detail)))
	{
		FormatEx(detail, sizeof(detail), "status %d.", status);
	}
	return Queue_Refuse(index, detail);
}

static void Send_Later(int retryAfter)
{
	float pause = s_pause;
	if (float(retryAfter) > pause)
	{
		pause = float(retryAfter);
	}
	s_pause = s_pause * 2.0 > PAUSE_MOST ? PAUSE_MOST : s_pause * 2.0;
	s_toldToWait = retryAfter > 0;
	s_timer = CreateTimer(pause, Send_OnTimer);
}

public Action Send_OnTimer(Handle timer)
{
	s_timer = null;
	Send_Next();
	return Plugin_Stop;
}
