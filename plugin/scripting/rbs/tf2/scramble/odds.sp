// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rule rbs_scramble_odds. After a round, with the new ratings, the plugin asks the service for the odds of the teams
// as they stand.

static int s_serial; // of the pending request, 0 for none

/** The new ratings after a round arrived. */
void Odds_OnRatings()
{
	if (Odds_MayScramble() && Service_MayAsk())
	{
		JSONObject body = Lobby_OddsQuestion();
		body.SetFloat("scramble_above", Rule_Value(g_cvScrambleOdds));
		s_serial = Http_Post(Request_Odds, "/v1/balance", body, g_cvTimeout.IntValue);
		delete body;
	}
}

static bool Odds_MayScramble()
{
	return g_round == Round_Over && !Mode_IsOneSided() && g_due == Reason_None && Round_IsOurs() && Rule_IsOn(g_cvScramble)
		&& Rule_Value(g_cvScrambleOdds) > 0.0 && Round_SinceScramble() > Rule_Number(g_cvScrambleGap);
}

void Odds_OnAnswer(int serial, Verdict verdict, JSONObject data)
{
	if (serial != s_serial)
	{
		return;
	}
	s_serial = 0;
	JSONObject teams = verdict == Verdict_Done && Odds_MayScramble() ? Json_Object(data, "before") : null;
	if (teams == null)
	{
		return;
	}
	float red = Json_Float(teams, "win_probability_a", 0.5);
	delete teams;
	float favourite = red < 0.5 ? 1.0 - red : red;
	if (favourite > Rule_Value(g_cvScrambleOdds))
	{
		Log_Done("The teams as they stand have odds of %d to %d.", Number_Percent(red), 100 - Number_Percent(red));
		Scramble_Due(Reason_Odds);
	}
}
