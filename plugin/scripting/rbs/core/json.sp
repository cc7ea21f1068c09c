// SPDX-License-Identifier: GPL-3.0-or-later
//
// Safe access to JSON. The extension's natives throw an error if a key is missing or null.

bool Json_Has(JSONObject source, const char[] key)
{
	return source != null && source.HasKey(key) && !source.IsNull(key);
}

int Json_Int(JSONObject source, const char[] key, int fallback = 0)
{
	return Json_Has(source, key) ? source.GetInt(key) : fallback;
}

stock float Json_Float(JSONObject source, const char[] key, float fallback = 0.0)
{
	return Json_Has(source, key) ? source.GetFloat(key) : fallback;
}

bool Json_Bool(JSONObject source, const char[] key)
{
	return Json_Has(source, key) && source.GetBool(key);
}

bool Json_String(JSONObject source, const char[] key, char[] buffer, int length)
{
	buffer[0] = '\0';
	return Json_Has(source, key) && source.GetString(key, buffer, length);
}

/** Returns a new handle, which the caller must close, or null. */
JSONObject Json_Object(JSONObject source, const char[] key)
{
	return Json_Has(source, key) ? view_as<JSONObject>(source.Get(key)) : null;
}

/** Returns a new handle, which the caller must close, or null. */
JSONArray Json_Array(JSONObject source, const char[] key)
{
	return Json_Has(source, key) ? view_as<JSONArray>(source.Get(key)) : null;
}

/** Returns the account at an index of a list of SteamID64s. */
stock int Json_Account(JSONArray list, int index)
{
	char id[ID_LENGTH];
	list.GetString(index, id, sizeof(id));
	return Id_Read(id);
}

void Json_PushAccount(JSONArray list, int account)
{
	char id[ID_LENGTH];
	Id_Write(account, id, sizeof(id));
	list.PushString(id);
}
