// SPDX-License-Identifier: GPL-3.0-or-later
//
// The setup before the doors open. After a scramble the new teams get the full time of the setup.

// Value of m_nState, as the game's source names it.
#define RT_STATE_SETUP 0

/** Starts the timers that count down the setup again. The input sets the time left if the setup is running. */
void Setup_Restart()
{
	if (!Game_IsInSetup())
	{
		return;
	}
	int timer = -1;
	while ((timer = FindEntityByClassname(timer, "team_round_timer")) != -1)
	{
		int seconds = GetEntProp(timer, Prop_Send, "m_nSetupTimeLength");
		if (seconds > 0 && GetEntProp(timer, Prop_Send, "m_nState") == RT_STATE_SETUP)
		{
			SetVariantInt(seconds);
			AcceptEntityInput(timer, "SetSetupTime");
		}
	}
}
