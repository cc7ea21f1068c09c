// SPDX-License-Identifier: GPL-3.0-or-later
//
// Notices of the service. They come with any answer, and repeat until a request acknowledges their names.

#define NOTICES 64
#define NOTICE_LENGTH 65

static ArrayList s_seen;  // names of the latest notices, so that each is handled once
static ArrayList s_give;  // names to acknowledge with the next request

void Notices_Create()
{
	s_seen = new ArrayList(ByteCountToCells(NOTICE_LENGTH));
	s_give = new ArrayList(ByteCountToCells(NOTICE_LENGTH));
}

/**
 * Adds the seen notices to a request as an acknowledgement. If the request is lost, the service repeats the notices.
 * Returns whether there was anything to acknowledge.
 */
bool Notices_Give(JSONObject body)
{
	if (s_give.Length == 0)
	{
		return false;
	}
	char name[NOTICE_LENGTH];
	JSONArray seen = new JSONArray();
	for (int i = 0; i < s_give.Length; i++)
	{
		s_give.GetString(i, name, sizeof(name));
		seen.PushString(name);
	}
	s_give.Clear();
	body.Set("notices_seen", seen);
	delete seen;
	return true;
}

void Notices_Take(JSONObject data)
{
	JSONArray notices = Json_Array(data, "notices");
	if (notices == null)
	{
		return;
	}
	for (int i = 0; i < notices.Length; i++)
	{
		JSONObject notice = view_as<JSONObject>(notices.Get(i));
		Notices_TakeOne(notice);
		delete notice;
	}
	delete notices;
}

static void Notices_TakeOne(JSONObject notice)
{
	char name[NOTICE_LENGTH], kind[32], say[256];
	Json_String(notice, "name", name, sizeof(name));
	if (name[0] == '\0')
	{
		return;
	}
	if (s_give.Length < NOTICES && s_give.FindString(name) < 0)
	{
		s_give.PushString(name);
	}
	if (s_seen.FindString(name) >= 0)
	{
		return;
	}
	while (s_seen.Length >= NOTICES)
	{
		s_seen.Erase(0);
	}
	s_seen.PushString(name);
	Json_String(notice, "kind", kind, sizeof(kind));
	Json_String(notice, "message", say, sizeof(say));
	Log_Done("%s", say);
	if (StrEqual(kind, "scramble") && Round_IsOurs())
	{
		Part_OnScrambleNotice();
	}
	else if (StrEqual(kind, "rating"))
	{
		Notices_TakeRating(notice);
	}
}

static void Notices_TakeRating(JSONObject notice)
{
	char id[ID_LENGTH];
	Json_String(notice, "player", id, sizeof(id));
	int client = Id_Client(Id_Read(id));
	if (client != 0 && Json_Has(notice, "rating"))
	{
		g_rating[client] = Json_Int(notice, "rating");
		Part_OnOtherRatings();
	}
}
