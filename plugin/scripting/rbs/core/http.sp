// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sends all HTTP requests. Passes each answer to answers.sp with the kind and number of the request and a verdict:
// whether the answer comes from RBS, and what to do next.

enum Request
{
	Request_Hello = 0,
	Request_Players,
	Request_Rounds,
	Request_Table,
	Request_Balance,
	Request_Place,
	Request_Void,
	Request_Stack,
	Request_Odds,
	Request_Rank,
	Request_Top
};

enum Verdict
{
	Verdict_Done = 0, // success; the answer has JSON
	Verdict_Later,    // unreachable, busy, or an answer from something else: retry later
	Verdict_Denied,   // 401 or 403: the secret is wrong or not for this server
	Verdict_Wrong,    // the address is not that of RBS
	Verdict_Refused   // RBS refuses the request; a retry would fail too
};

static int s_serial;
static bool s_foreign; // the answer in process comes from something other than RBS, such as a proxy

/** Sends `body` and returns the number of the request. The caller may close `body` afterwards. */
int Http_Post(Request kind, const char[] path, JSON body, int seconds)
{
	HTTPRequest request = Http_Create("POST", path, seconds);
	// The extension closes the request's handle.
	request.Post(body, Http_OnResponse, Http_Value(kind));
	return s_serial;
}

/** Asks for `path`, and returns the number of the request. */
int Http_Get(Request kind, const char[] path, int seconds)
{
	HTTPRequest request = Http_Create("GET", path, seconds);
	request.Get(Http_OnResponse, Http_Value(kind));
	return s_serial;
}

static int Http_Value(Request kind)
{
	s_serial = (s_serial + 1) & 0xFFFFFF;
	return view_as<int>(kind) | s_serial << 4;
}

static HTTPRequest Http_Create(const char[] method, const char[] path, int seconds)
{
	char url[PLATFORM_MAX_PATH], secret[256];
	Config_Url(url, sizeof(url));
	Config_Secret(secret, sizeof(secret));
	StrCat(url, sizeof(url), path);

	HTTPRequest request = new HTTPRequest(url);
	request.SetHeader("Authorization", "Bearer %s", secret);
	if (g_server[0] != '\0')
	{
		// The service reads the body only if the secret is valid. With this header, it can report which server sent a wrong one.
		request.SetHeader("X-RBS-Server", "%s", g_server);
	}
	request.ConnectTimeout = seconds;
	request.Timeout = seconds;
	// Never follow a redirect: it would send the secret to another host.
	request.MaxRedirects = 0;
	Log_Detail("%s %s", method, url);
	return request;
}

public void Http_OnResponse(HTTPResponse response, any value, const char[] error)
{
	int status = view_as<int>(response.Status);
	JSONObject data = null;
	if (Http_IsJson(response, status))
	{
		// Invalid JSON throws an error, so parse it in a separate call.
		Call_StartFunction(null, Http_Parse);
		Call_PushCell(response);
		if (Call_Finish(data) != SP_ERROR_NONE)
		{
			data = null;
		}
	}
	Request kind = view_as<Request>(value & 0xF);
	Verdict verdict = Http_Judge(status, data);
	bool problem = Http_IsProblem(data);
	if (verdict == Verdict_Wrong && kind != Request_Rounds && problem)
	{
		// An older version of RBS that does not know this request. All versions accept rounds.
		verdict = Verdict_Refused;
	}
	if (kind == Request_Void && status == 403 && problem)
	{
		// The secret is valid but does not permit voids.
		verdict = Verdict_Refused;
	}
	// Proxies report with these statuses that the service behind them is away or busy.
	s_foreign = verdict == Verdict_Later && !problem && status >= 200 && status < 500 && status != 408 && status != 425 && status != 429;
	char detail[256];
	Http_Detail(status, data, error, detail, sizeof(detail));
	Answers_Take(kind, value >>> 4, verdict, status, data, Http_RetryAfter(response), detail);
}

public JSONObject Http_Parse(HTTPResponse response)
{
	return view_as<JSONObject>(response.Data);
}

/** Returns whether the answer in process comes from something other than RBS at the same address. */
bool Http_IsForeign()
{
	return s_foreign;
}

/** Returns whether the JSON is an error answer of RBS. Those of other services have a type of their own. */
static bool Http_IsProblem(JSONObject data)
{
	char type[16];
	return (!Json_String(data, "type", type, sizeof(type)) || StrEqual(type, "about:blank")) && Json_Has(data, "title") && Json_Has(data, "status") && Json_Has(data, "detail");
}

/** Returns whether the answer has the content type of RBS: problem+json for every error. */
static bool Http_IsJson(HTTPResponse response, int status)
{
	char type[64];
	response.GetHeader("content-type", type, sizeof(type));
	return StrContains(type, status < 300 ? "application/json" : "application/problem+json", false) == 0;
}

/**
 * Returns the verdict on an answer. `data` is null if the answer is not JSON. Proxies and hosting providers answer with
 * any status, so only an error answer of RBS itself stops further requests.
 */
Verdict Http_Judge(int status, JSONObject data)
{
	if (data == null || status >= 500 || status < 200)
	{
		return Verdict_Later;
	}
	if (status < 300)
	{
		return Verdict_Done;
	}
	if (!Http_IsProblem(data))
	{
		return Verdict_Later;
	}
	switch (status)
	{
		case 401, 403:
		{
			return Verdict_Denied;
		}
		case 404, 405:
		{
			return Verdict_Wrong;
		}
		case 408, 425, 429:
		{
			return Verdict_Later;
		}
	}
	// If the server's name is refused, the round itself is still valid.
	return Http_IsAboutServer(data) ? Verdict_Denied : Verdict_Refused;
}

static bool Http_IsAboutServer(JSONObject problem)
{
	JSONArray errors = Json_Array(problem, "errors");
	if (errors == null)
	{
		return false;
	}
	bool found = false;
	char field[16];
	for (int i = 0; i < errors.Length && !found; i++)
	{
		JSONObject error = view_as<JSONObject>(errors.Get(i));
		found = Json_String(error, "field", field, sizeof(field)) && StrEqual(field, "/server");
		delete error;
	}
	delete errors;
	return found;
}

/** Returns the value of Retry-After in seconds, or 0. */
static int Http_RetryAfter(HTTPResponse response)
{
	char seconds[16];
	return response.GetHeader("retry-after", seconds, sizeof(seconds)) ? StringToInt(seconds) : 0;
}

/** Writes the error message of the extension or of the answer. */
static void Http_Detail(int status, JSONObject data, const char[] error, char[] detail, int length)
{
	if (s_foreign)
	{
		FormatEx(detail, length, "something other than RBS answers, with status %d", status);
	}
	else if (error[0] != '\0')
	{
		strcopy(detail, length, error);
	}
	else if (!Json_String(data, "detail", detail, length))
	{
		FormatEx(detail, length, data == null ? "status %d, without a readable JSON body" : "status %d", status);
	}
}
