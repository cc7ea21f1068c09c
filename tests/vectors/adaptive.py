#!/usr/bin/env python3
"""Writes known answers of the model `adaptive`: a second implementation, which shares no code with the service.

    python3 tests/vectors/adaptive.py > tests/vectors/adaptive.jsonl.gz
"""

import gzip
import json
import random
import sys
from math import exp, log, log1p, log2, pi, sqrt

THETA = 800.0

# Every observer: the variance it believes in, what it forgets in a round and in a day, its prior log weight.
SPREADS = [0.015, 0.03, 0.06, 0.12, 0.25, 0.5, 1.0]
TEMPOS = [(0.0, 2e-5, 0.0, -0.2), (3e-4, 1e-4, -3.5, 0.0), (1e-3, 1e-3, -7.0, 0.3)]
BANK = [
    (spread, per_round, per_day, prior + tilt * log2(spread / SPREADS[0]))
    for per_round, per_day, prior, tilt in TEMPOS
    for spread in SPREADS
]
ALL = BANK + [(2.5, 2e-3, 8e-3, None)]

# Every weight: mean and deviation of its prior. Form's logit, side, extra player, experience, log temperature.
PRIOR = [(log(0.02 / 0.98), sqrt(8)), (0.0, 0.2), (1.0, 0.7), (0.0, 0.5), (0.0, 0.2)]
WEIGHTS = range(len(PRIOR))
PRIOR_COVARIANCE = [[PRIOR[i][1] ** 2 if i == j else 0.0 for j in WEIGHTS] for i in WEIGHTS]


def sigmoid(x):
    return 1 / (1 + exp(-x))


def shrink(variance):
    return 1 / sqrt(1 + pi * variance / 8)


def dot(one, other):
    return sum(x * y for x, y in zip(one, other))


class Player:
    def __init__(self):
        self.rounds, self.last, self.rating = 0, None, 1000
        self.mean, self.variance = [0.0] * len(ALL), None

    def age(self, seconds, size):
        prior = [observer[0] / size for observer in ALL]
        if self.last is None:
            self.variance = prior
        else:
            days = max(seconds - self.last, 0) / 86400
            rest = [exp(-per_round - per_day * days) for _, per_round, per_day, _ in ALL]
            self.variance = [r * v + (1 - r) * p for r, v, p in zip(rest, self.variance, prior)]
            self.mean = [sqrt(r) * m for r, m in zip(rest, self.mean)]
        self.last = seconds


class Pool:
    def __init__(self):
        self.players, self.maps, self.size = {}, {}, None
        self.weights = [mean for mean, _ in PRIOR]
        self.covariance = [row[:] for row in PRIOR_COVARIANCE]
        self.log_weights = [prior for *_, prior in BANK]
        self.kept = [0.8] * len(ALL)

    def shares(self):
        bank = [exp(weight) for weight in self.log_weights]
        form = sigmoid(self.weights[0])
        return [(1 - form) * weight / sum(bank) for weight in bank] + [form]

    def live(self, player):
        lead = sum(s * k * m for s, k, m in zip(self.shares(), self.kept, player.mean))
        known = self.weights[3] * log1p(player.rounds / 6) / (self.size or 1)
        return round(1000 + THETA * (exp(self.weights[4]) * lead + known))

    def play(self, teams, outcome, seconds, place):
        a, b = map(len, teams)
        if self.size is None:
            self.size = (a + b) / 2
        side = [1] * a + [-1] * b
        players = [self.players.setdefault(number, Player()) for number in teams[0] + teams[1]]
        for player in players:
            if player.rounds < 50:
                player.rating = self.live(player)
            player.age(seconds, self.size)
        before = [player.rating for player in players]

        # The forecasts of the observers, and theirs together.
        kept = [shrink(sum(column)) for column in zip(*(player.variance for player in players))]
        leads = [k * dot(side, column) for k, column in zip(kept, zip(*(player.mean for player in players)))]
        known = dot(side, [log1p(player.rounds / 6) for player in players]) / self.size
        heads = (a - b) / ((a + b) / 2) ** 0.4
        place_mean, place_variance = self.maps.get(place, (0.0, 0.15**2))
        shares, temperature = self.shares(), exp(self.weights[4])
        mixed = dot(shares, leads)
        offset = place_mean + dot(self.weights[1:4], [1.0, heads, known])
        slope = [temperature * shares[-1] * (leads[-1] - mixed), 1.0, heads, known, temperature * mixed]
        gain = [dot(row, slope) for row in self.covariance]
        certainty = shrink(dot(slope, gain) + place_variance)
        predicted = sigmoid(certainty * (offset + temperature * mixed))

        # Observers learn from their own errors, and are weighed by their own likelihoods.
        alone = [sigmoid(offset + lead) for lead in leads]
        for sign, player in zip(side, players):
            for j, (k, p) in enumerate(zip(kept, alone)):
                variance = player.variance[j]
                player.mean[j] += sign * variance * k * (outcome - p)
                player.variance[j] = variance - variance**2 * k**2 * p * (1 - p)
        likelihood = [outcome * log(p) + (1 - outcome) * log(1 - p) for p in alone]
        weights = [weight + one for weight, one in zip(self.log_weights, likelihood)]
        self.log_weights = [max(weight - max(weights), -16) for weight in weights]
        self.kept = [old + 0.02 * (new - old) for old, new in zip(self.kept, kept)]

        # The other weights learn from the error of the common forecast, and forget a little.
        error, information = certainty * (outcome - predicted), certainty**2 * predicted * (1 - predicted)
        for i in WEIGHTS:
            self.weights[i] += gain[i] * error
            self.weights[i] += 5e-6 * (PRIOR[i][0] - self.weights[i])
            for j in WEIGHTS:
                learnt = self.covariance[i][j] - information * gain[i] * gain[j]
                self.covariance[i][j] = (1 - 1e-5) * learnt + 1e-5 * PRIOR_COVARIANCE[i][j]
        self.weights[0] = min(max(self.weights[0], -8), 8)
        self.maps[place] = (place_mean + place_variance * error, place_variance - place_variance**2 * information)
        self.size += 0.02 * ((a + b) / 2 - self.size)

        for sign, player in zip(side, players):
            player.rounds += 1
            step = self.live(player) - player.rating
            if player.rounds > 50:
                won = outcome if sign > 0 else 1 - outcome
                least, most = {1: (0, 72), 0: (-72, 0), 0.5: (-36, 36)}[won]
                step = min(max(step, least), most)
            player.rating += step
        return predicted, before, [player.rating for player in players]


def rounds(count=2000):
    """Yields teams, outcome, end and map of made-up rounds: teams of 1 to 7, some uneven, some after pauses of days."""
    dice = random.Random(66)
    skills = [dice.gauss(0, 250) for _ in range(40)]
    seconds = 1_763_640_000
    for _ in range(count):
        size = dice.randint(1, 6)
        other = max(1, size + dice.choice([-1, 1])) if dice.random() < 0.2 else size
        drawn = dice.sample(range(40), size + other)
        teams = [drawn[:size], drawn[size:]]
        lead = sum(skills[number] for number in teams[0]) - sum(skills[number] for number in teams[1])
        luck = dice.random()
        outcome = 0.5 if luck < 0.04 else float((luck - 0.04) / 0.96 < sigmoid(lead / THETA))
        seconds += dice.randint(1, 9 * 86400) if dice.random() < 0.03 else 600
        yield teams, outcome, seconds, dice.randrange(3)


def main():
    pool, lines = Pool(), []
    for teams, outcome, seconds, place in rounds():
        predicted, before, after = pool.play(teams, outcome, seconds, place)
        lines.append(json.dumps({
            "t": seconds, "map": place, "a": teams[0], "b": teams[1], "outcome": outcome, "theta": THETA,
            "p": predicted, "before": before, "after": after, "weights": pool.weights, "k": pool.size,
        }))
    sys.stdout.buffer.write(gzip.compress("\n".join(lines).encode() + b"\n", mtime=0))


if __name__ == "__main__":
    main()
