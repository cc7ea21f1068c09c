// SPDX-License-Identifier: GPL-3.0-or-later
//
// Chat words that work without "!". SourceMod itself runs "!name" for the command sm_name.

public void OnClientSayCommand_Post(int client, const char[] command, const char[] text)
{
	char word[32];
	strcopy(word, sizeof(word), text);
	TrimString(word);
	if (client == 0 || !Id_IsPlayer(client))
	{
		return;
	}
	static const char votes[][] = {"votescramble", "scramble", "!scramble", "/scramble"};
	for (int i = 0; i < sizeof(votes); i++)
	{
		if (StrEqual(word, votes[i], false))
		{
			ReplySource before = SetCmdReplySource(SM_REPLY_TO_CHAT);
			Vote_Try(client);
			SetCmdReplySource(before);
			return;
		}
	}
}
