// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who must not be moved now, because a team would lose more than a player.

#define CHARGE_KEPT 0.5

bool Immunity_Has(int client)
{
	if (!g_cvBalanceImmunity.BoolValue)
	{
		return false;
	}
	return CheckCommandAccess(client, "rbs_immunity", ADMFLAG_ROOT, true)
		|| Immunity_Carries(client)
		|| Medic_Charge(client) >= CHARGE_KEPT
		|| Immunity_HasBuilt(client);
}

/** A flag, or in other modes what is carried like one. */
static bool Immunity_Carries(int client)
{
	return GetEntPropEnt(client, Prop_Send, "m_hItem") > 0;
}

/** The medic's medigun, -1 for none. */
static int Medic_Gun(int client)
{
	if (TF2_GetPlayerClass(client) != TFClass_Medic)
	{
		return -1;
	}
	int weapon = GetPlayerWeaponSlot(client, 1);
	return weapon > 0 && HasEntProp(weapon, Prop_Send, "m_flChargeLevel") ? weapon : -1;
}

/** From 0 to 1; 0 for everybody without a medigun. */
float Medic_Charge(int client)
{
	int medigun = Medic_Gun(client);
	return medigun == -1 ? 0.0 : GetEntPropFloat(medigun, Prop_Send, "m_flChargeLevel");
}

/** A charge is not lost by being moved. */
void Medic_SetCharge(int client, float charge)
{
	int medigun = charge > 0.0 ? Medic_Gun(client) : -1;
	if (medigun != -1)
	{
		SetEntPropFloat(medigun, Prop_Send, "m_flChargeLevel", charge);
	}
}

static bool Immunity_HasBuilt(int client)
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
