// SPDX-License-Identifier: GPL-3.0-or-later
//
// The charge of a medic's medigun.

/** Returns the medic's medigun, or -1. */
static int Medic_Gun(int client)
{
	if (TF2_GetPlayerClass(client) != TFClass_Medic)
	{
		return -1;
	}
	int weapon = GetPlayerWeaponSlot(client, 1);
	return weapon > 0 && HasEntProp(weapon, Prop_Send, "m_flChargeLevel") ? weapon : -1;
}

/** Returns the charge from 0 to 1. It is 0 without a medigun. */
float Medic_Charge(int client)
{
	int medigun = Medic_Gun(client);
	return medigun == -1 ? 0.0 : GetEntPropFloat(medigun, Prop_Send, "m_flChargeLevel");
}

/** Restores the charge after a move. */
void Medic_SetCharge(int client, float charge)
{
	int medigun = charge > 0.0 ? Medic_Gun(client) : -1;
	if (medigun != -1)
	{
		SetEntPropFloat(medigun, Prop_Send, "m_flChargeLevel", charge);
	}
}
