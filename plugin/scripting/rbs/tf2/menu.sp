// SPDX-License-Identifier: GPL-3.0-or-later
//
// The admin commands in SourceMod's admin menu, if the menu is loaded.

static TopMenu s_menu;

/** The menu items: their commands and their phrases. */
static const char s_commands[][] = {"sm_rbs_scramble", "sm_rbs_scramble_now", "sm_rbs_cancel", "sm_rbs_reset_votes", "sm_rbs_preview", "sm_rbs_check"};
static const char s_phrases[][] = {"Menu scramble", "Menu scramble now", "Menu cancel", "Menu reset votes", "Menu preview", "Menu check"};

void Menu_Find()
{
	TopMenu menu;
	if (LibraryExists("adminmenu") && (menu = GetAdminTopMenu()) != null)
	{
		OnAdminMenuReady(menu);
	}
}

public void OnAdminMenuReady(Handle handle)
{
	TopMenu menu = TopMenu.FromHandle(handle);
	if (menu == s_menu)
	{
		return;
	}
	s_menu = menu;
	TopMenuObject category = menu.AddCategory("rbs", Menu_OnCategory, "sm_rbs", ADMFLAG_GENERIC);
	if (category == INVALID_TOPMENUOBJECT)
	{
		return;
	}
	for (int i = 0; i < sizeof(s_commands); i++)
	{
		menu.AddItem(s_commands[i], Menu_OnItem, category, i == 1 ? "sm_rbs_scramble" : s_commands[i], ADMFLAG_GENERIC, s_phrases[i]);
	}
}

void Menu_Forget()
{
	s_menu = null;
}

public void Menu_OnCategory(TopMenu menu, TopMenuAction action, TopMenuObject item, int client, char[] buffer, int length)
{
	if (action == TopMenuAction_DisplayTitle || action == TopMenuAction_DisplayOption)
	{
		FormatEx(buffer, length, "%T", "Menu title", client);
	}
}

public void Menu_OnItem(TopMenu menu, TopMenuAction action, TopMenuObject item, int client, char[] buffer, int length)
{
	char name[64];
	if (action == TopMenuAction_DisplayOption)
	{
		menu.GetInfoString(item, name, sizeof(name));
		FormatEx(buffer, length, "%T", name, client);
	}
	else if (action == TopMenuAction_SelectOption)
	{
		menu.GetObjName(item, name, sizeof(name));
		FakeClientCommand(client, "%s", StrEqual(name, "sm_rbs_scramble_now") ? "sm_rbs_scramble now" : name);
	}
}
