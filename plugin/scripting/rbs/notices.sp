// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the service has to say unasked: it comes with answers until its name is given back with a request.

#define NOTICES 64
#define NOTICE_LENGTH 65

static ArrayList s_seen;  // the names of the latest, so that each is followed once
static ArrayList s_give;  // those that came since the last request that gave any back

void Notices_Create()
{
	s_seen = new ArrayList(ByteCountToCells(NOTICE_LENGTH));
	s_give = new ArrayList(ByteCountToCells(NOTICE_LENGTH));
}

/**
 * Gives back what was seen, with a request that takes it. If that is lost, the notices come once more, and are given
 * back once more. Says whether there was anything.
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
	Json_String(notice, "say", say, sizeof(say));
	Log_Done("%s", say);
	if (StrEqual(kind, "scramble") && Round_IsOurs())
	{
		Scramble_Due(Reason_Admin);
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
		Table_Age();
	}
}
