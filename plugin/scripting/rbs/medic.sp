// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a medic has saved up.

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
