// SPDX-License-Identifier: GPL-3.0-or-later
//
// The convars of scrambles and balance.

ConVar g_cvRateStages;
ConVar g_cvScramble;
ConVar g_cvScrambleSecond;
ConVar g_cvScrambleStreak;
ConVar g_cvScrambleRounds;
ConVar g_cvScrambleUntouched;
ConVar g_cvScrambleWaiting;
ConVar g_cvScrambleGap;
ConVar g_cvScrambleLeastPlayers;
ConVar g_cvTolerance;
ConVar g_cvPartyPrice;
ConVar g_cvLock;
ConVar g_cvBalance;
ConVar g_cvBalanceDelay;
ConVar g_cvBalanceImmunity;
ConVar g_cvPlace;
ConVar g_cvStackGuard;
ConVar g_cvVote;
ConVar g_cvVoteDelay;
ConVar g_cvDryRun;

void Settings_Create()
{
	g_cvRateStages = Config_Switch("rbs_rate_stages", "0", "1: each stage of a multi-stage map counts as a round of its own.");
	g_cvScramble = Config_Switch("rbs_scramble", "1", "1: scramble teams by the rules below. Votes and admins can always scramble.");
	g_cvScrambleSecond = Config_Switch("rbs_scramble_second", "1", "Arena: 1: scramble before the second round of a map.");
	g_cvScrambleStreak = Config_Number("rbs_scramble_streak", "3", "Arena: scramble after this many wins in a row of one team; 0: never.", 0.0, 20.0);
	g_cvScrambleRounds = Config_Number("rbs_scramble_rounds", "2", "Attack and defend, payload: scramble after this many full rounds; 0: never.", 0.0, 20.0);
	g_cvScrambleUntouched = Config_Switch("rbs_scramble_untouched", "1", "Not arena: 1: scramble if the loser captured no point and no flag.");
	g_cvScrambleWaiting = Config_Switch("rbs_scramble_waiting", "1", "Not arena: 1: scramble when waiting for players ends.");
	g_cvScrambleGap = Config_Number("rbs_scramble_gap", "0", "Full rounds after a scramble before a rule can scramble again; 1: never twice in a row. Does not apply to the second round of arena.", 0.0, 20.0);
	g_cvScrambleLeastPlayers = Config_Number("rbs_scramble_least_players", "4", "Minimum number of players for a scramble.", 4.0, 100.0);
	g_cvTolerance = Config_Number("rbs_tolerance", "24", "Rating points of balance that a scramble may give up for fair waiting turns and for teams that do not repeat.", 0.0, 1000.0);
	g_cvPartyPrice = Config_Number("rbs_party_price", "100", "Rating points of balance that keeping parties together may cost.", 0.0, 10000.0);
	g_cvLock = Config_Switch("rbs_lock", "1", "1: after a scramble, players keep their team until the round ends, even if they reconnect. So does whoever was moved by balance.");
	g_cvBalance = Config_Switch("rbs_balance", "1", "Not arena: 1: move players during a round if the teams are unbalanced.");
	g_cvBalanceDelay = Config_Number("rbs_balance_delay", "3", "Seconds between a change of the teams and the balance check.", 1.0, 60.0);
	g_cvBalanceImmunity = Config_Switch("rbs_balance_immunity", "1", "1: balance never moves flag carriers, medics with half a charge, engineers with buildings, and admins with the override rbs_immunity.");
	g_cvPlace = Config_Switch("rbs_place", "1", "Not arena: 1: RBS chooses the team of a player who joins.");
	g_cvStackGuard = Config_Number("rbs_stack_guard", "0", "Refuse a player's own change of teams that raises the favourite's win chance above this many percent; 0: never.", 0.0, 100.0);
	g_cvVote = Config_Number("rbs_vote", "0.6", "Share of the players who must type !votescramble; 0 turns votes off.", 0.0, 1.0);
	g_cvVoteDelay = Config_Number("rbs_vote_delay", "180", "Seconds without votes after a scramble or the start of a map.", 0.0, 3600.0);
	g_cvDryRun = Config_Switch("rbs_dry_run", "0", "1: move nobody and log who would have been moved. Rounds are still reported.");

	g_cvScramble.AddChangeHook(Settings_OnDuty);
	g_cvBalance.AddChangeHook(Settings_OnDuty);
	g_cvDryRun.AddChangeHook(Settings_OnDuty);
}

public void Settings_OnDuty(ConVar convar, const char[] before, const char[] after)
{
	if (g_configured)
	{
		Game_Adjust();
	}
}
