// SPDX-License-Identifier: GPL-3.0-or-later
//
// The convars of scrambles and balance.

ConVar g_cvRateStages;
ConVar g_cvScramble;
ConVar g_cvScrambleSecond;
ConVar g_cvScrambleStreak;
ConVar g_cvScrambleRounds;
ConVar g_cvScrambleUntouched;
ConVar g_cvScrambleFast;
ConVar g_cvScrambleKills;
ConVar g_cvScrambleScore;
ConVar g_cvScrambleDominations;
ConVar g_cvScrambleOdds;
ConVar g_cvScrambleWaiting;
ConVar g_cvScrambleGap;
ConVar g_cvScrambleLeastPlayers;
ConVar g_cvScrambleKeep;
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
ConVar g_cvVoteNow;
ConVar g_cvVoteMenu;
ConVar g_cvVoteAdvert;
ConVar g_cvDryRun;

void Settings_Create()
{
	g_cvRateStages = Config_Switch("rbs_rate_stages", "0", "1: each stage of a multi-stage map counts as a round of its own.");
	g_cvScramble = Config_Switch("rbs_scramble", "1", "1: scramble teams by the rules below. Votes and admins can always scramble.");
	g_cvScrambleSecond = Config_Switch("rbs_scramble_second", "1", "Arena: 1: scramble before the second round of a map.");
	g_cvScrambleStreak = Config_Number("rbs_scramble_streak", "3", "Scramble after this many wins in a row of one team; 0: never.", 0.0, 20.0);
	g_cvScrambleRounds = Config_Number("rbs_scramble_rounds", "2", "Attack and defend, payload: scramble after this many full rounds; 0: never.", 0.0, 20.0);
	g_cvScrambleUntouched = Config_Switch("rbs_scramble_untouched", "1", "Not arena: 1: scramble if the loser captured no point and no flag.");
	g_cvScrambleFast = Config_Number("rbs_scramble_fast", "0", "Scramble if a team wins within this many seconds; 0: never.", 0.0, 3600.0);
	g_cvScrambleKills = Config_Number("rbs_scramble_kills", "0", "Scramble if the winners made this many times the kills of the losers in the round; 0: never.", 0.0, 20.0);
	g_cvScrambleScore = Config_Number("rbs_scramble_score", "0", "Scramble if the teams' mean score per minute of the round differs by this much; 0: never.", 0.0, 100.0);
	g_cvScrambleDominations = Config_Number("rbs_scramble_dominations", "0", "Scramble if the winners dominate this many more opponents than the losers; 0: never.", 0.0, 100.0);
	g_cvScrambleOdds = Config_Number("rbs_scramble_odds", "0", "Scramble if RBS predicts that the teams as they stand after a round win with more than this probability; 0: never.", 0.0, 1.0);
	g_cvScrambleWaiting = Config_Switch("rbs_scramble_waiting", "1", "Not arena: 1: scramble when waiting for players ends.");
	g_cvScrambleGap = Config_Number("rbs_scramble_gap", "0", "Full rounds after a scramble before a rule can scramble again; 1: never twice in a row. Does not apply to the second round of arena.", 0.0, 20.0);
	g_cvScrambleLeastPlayers = Config_Number("rbs_scramble_least_players", "4", "Minimum number of players for a scramble.", 4.0, 100.0);
	g_cvScrambleKeep = Config_Switch("rbs_scramble_keep", "0", "1: scrambles leave medics with half a charge and engineers with buildings on their team.");
	g_cvTolerance = Config_Number("rbs_tolerance", "24", "Rating points of balance that a scramble may give up for fair waiting turns and for teams that do not repeat.", 0.0, 1000.0);
	g_cvPartyPrice = Config_Number("rbs_party_price", "100", "Rating points of balance that keeping parties together may cost.", 0.0, 10000.0);
	g_cvLock = Config_Switch("rbs_lock", "1", "1: after a scramble, players keep their team until the round ends, even if they reconnect. So does whoever was moved by balance.");
	g_cvBalance = Config_Switch("rbs_balance", "1", "Not arena: 1: move players during a round if the teams are unbalanced.");
	g_cvBalanceDelay = Config_Number("rbs_balance_delay", "3", "Seconds between a change of the teams and the balance check.", 1.0, 60.0);
	g_cvBalanceImmunity = Config_Switch("rbs_balance_immunity", "1", "1: balance never moves flag carriers, medics with half a charge, engineers with buildings, and admins with the override rbs_immunity.");
	g_cvPlace = Config_Switch("rbs_place", "1", "Not arena: 1: RBS chooses the team of a player who joins.");
	g_cvStackGuard = Config_Number("rbs_stack_guard", "0", "Refuse a player's own change of teams that raises the favourite's win chance above this many percent; 0: never.", 0.0, 100.0);
	g_cvVote = Config_Number("rbs_vote", "0.6", "Share of the votes that a scramble needs: of all players in chat, of the votes cast in a menu; 0 turns votes off.", 0.0, 1.0);
	g_cvVoteDelay = Config_Number("rbs_vote_delay", "180", "Seconds without votes after a scramble, a failed vote in a menu, or the start of a map.", 0.0, 3600.0);
	g_cvVoteNow = Config_Switch("rbs_vote_now", "0", "1: a vote scrambles the teams at once; 0: before the next round.");
	g_cvVoteMenu = Config_Switch("rbs_vote_menu", "0", "1: the first !votescramble opens a menu for everybody; 0: votes are counted in chat.");
	g_cvVoteAdvert = Config_Number("rbs_vote_advert", "0", "Minutes between two hints in chat on how to vote; 0: no hints.", 0.0, 120.0);
	g_cvDryRun = Config_Switch("rbs_dry_run", "0", "1: move nobody and log who would have been moved. Rounds are still reported.");

	g_cvVoteAdvert.AddChangeHook(Vote_OnAdvertChanged);
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
