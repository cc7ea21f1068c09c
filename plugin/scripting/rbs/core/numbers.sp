// SPDX-License-Identifier: GPL-3.0-or-later
//
// Number helpers.

/** Converts a probability to whole percent. */
stock int Number_Percent(float probability)
{
	return RoundToNearest(probability * 100.0);
}

int Number_Within(int number, int least, int most)
{
	return number < least ? least : number > most ? most : number;
}

int Number_Absolute(int number)
{
	return number < 0 ? -number : number;
}
