// SPDX-License-Identifier: GPL-3.0-or-later
//
// Players whom balance must not move now, because their team would lose more than a player.

#define CHARGE_KEPT 0.5

bool Immunity_Has(int client)
{
	// A move ends a duel, so duellists are spared even if no other immunity is wanted. So does the game's own balance.
	if (Game_IsInDuel(client))
	{
		return true;
	}
	if (!g_cvBalanceImmunity.BoolValue)
	{
		return false;
	}
	return CheckCommandAccess(client, "rbs_immunity", ADMFLAG_ROOT, true)
		|| Immunity_Carries(client)
		|| Medic_Charge(client) >= CHARGE_KEPT
		|| Immunity_HasBuilt(client);
}

/** Returns whether the client carries a flag or, in other modes, a similar item. */
static bool Immunity_Carries(int client)
{
	return GetEntPropEnt(client, Prop_Send, "m_hItem") > 0;
}

bool Immunity_HasBuilt(int client)
{
	if (TF2_GetPlayerClass(client) != TFClass_Engineer)
	{
		return false;
	}
	static const char buildings[][] = {"obj_sentrygun", "obj_dispenser", "obj_teleporter"};
	for (int i = 0; i < sizeof(buildings); i++)
	{
		int entity = -1;
		while ((entity = FindEntityByClassname(entity, buildings[i])) != -1)
		{
			if (GetEntPropEnt(entity, Prop_Send, "m_hBuilder") == client)
			{
				return true;
			}
		}
	}
	return false;
}
