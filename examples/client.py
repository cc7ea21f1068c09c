#!/usr/bin/env python3
"""A client of RBS for one game server, in the standard library of Python 3.9 or later.

As a module it is the class Client, for a thread of its own, since requests wait. As a program it reads a JSON object
and prints the answer; it exits with 75 where the service is away, and with 1 where it refuses. See docs/plugins.md."""
import argparse
import contextlib
import http.client
import itertools
import json
import logging
import os
import random
import sys
import time
import urllib.request
import uuid
from datetime import datetime, timezone
from pathlib import Path

TIMEOUT, LONGEST_PAUSE, CLOCK_OFF = 10, 60, 300  # seconds; a clock 600 ahead has rounds refused
BATCH_ROUNDS, BATCH_BYTES = 64, 200_000  # /v1/updates takes 64 rounds in at most 256 KiB
log = logging.getLogger("rbs")


class Later(Exception):
    """No answer, or none yet: the same request is to be sent again, after so many seconds if the service says so."""

    def __init__(self, why, seconds=0.0):
        super().__init__(why)
        self.seconds = seconds


class Denied(Exception):
    """The secret, the address or the server's name is wrong: nothing is worth sending before that is mended."""


class Refused(Exception):
    """The service will never take this request."""


def judge(status, body, seconds=0.0):
    """The body of an answer that is a success; any other is raised. Proxies answer too, but not as RBS does."""
    detail = body.get("detail") if isinstance(body, dict) else None
    if status == 200 and isinstance(body, dict):
        return body
    if status == 410 and detail is not None:
        return {"duplicate": True}  # counted, and pruned since then
    if status in (401, 403, 404) or (300 <= status < 400):
        raise Denied(detail or f"status {status}, which is not from RBS: check the address")
    if detail is not None and status in (400, 409, 413, 415, 422):
        fields = {error.get("field") for error in body.get("errors") or []}
        raise (Denied if fields == {"/server"} else Refused)(detail)  # of a server of no name every round is refused
    raise Later(detail or f"status {status}", seconds)


def sendable(about):
    """The same with names that can be sent: half a character, or what is no text, would have a round refused. What nobody
    can see of a name the service leaves out by itself."""
    def named(player):
        if not isinstance(player, dict) or "name" not in player:
            return player
        name = player["name"].encode("utf-8", "ignore").decode() if isinstance(player["name"], str) else ""
        rest = {key: value for key, value in player.items() if key != "name"}
        return {**rest, "name": name[:64]} if name else rest
    lists = {key: [named(player) for player in about[key]] for key in ("players", "team_a", "team_b")
             if isinstance(about.get(key), list)}
    return {**about, **lists}


def teams(table, players):
    """The largest split of a table for these players: whoever waits in it, then who is not in it, takes free places."""
    players = [player["id"] if isinstance(player, dict) else player for player in players]
    split = max(table["splits"], key=lambda split: split["size"], default={"size": 0, "seats": ""})
    letters = dict(zip(table["players"], split["seats"]))
    found = {letter: [player for player in players if letters.get(player, "w") == letter] for letter in "abw"}
    found["w"].sort(key=lambda player: player not in letters)
    while found["w"] and min(len(found["a"]), len(found["b"])) < split["size"]:
        min(found["a"], found["b"], key=len).append(found["w"].pop(0))
    return {"a": found["a"], "b": found["b"], "waiting": found["w"]}


class AnyStatus(urllib.request.HTTPErrorProcessor):
    """Passes every answer on: an error is judged by what it says, and a redirect would take the secret elsewhere."""
    http_response = https_response = staticmethod(lambda request, response: response)


def write(path, value):
    """The file is there whole, or as it was before."""
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    with open(new, "w", encoding="utf-8") as file:
        print(json.dumps(value), file=file, flush=True)
        os.fsync(file.fileno())
    new.replace(path)


class Client:
    """Speaks for one game server. What has to survive a crash is in `folder`: a file for each round that waits or was
    refused, and one for the last table and the notices. `on_notice` gets each notice once, or again after a crash."""

    def __init__(self, url, server, secret, folder, pause=5.0, on_notice=None):
        self.url, self.server, self.secret, self.pause = url.rstrip("/"), server, secret, pause
        self.on_notice = on_notice or (lambda notice: log.warning("%s", notice["message"]))
        self.opener = urllib.request.build_opener(AnyStatus)
        own = Path(folder) / server
        self.queue, self.refused, self.state = own / "queue", own / "refused", own / "state.json"
        self.queue.mkdir(parents=True, exist_ok=True)
        self.refused.mkdir(exist_ok=True)

    def waiting(self):
        """Rounds that wait, the oldest first, with their files: as many as one request takes."""
        found = []
        for path in sorted(self.queue.glob("*.json"))[:BATCH_ROUNDS]:
            with contextlib.suppress(FileNotFoundError):  # another process was faster
                found.append((path, json.loads(path.read_text("utf-8"))))
        return found

    def known(self):
        """`seen`, the names of notices that were shown, and `table`, the last table of splits."""
        return json.loads(self.state.read_text("utf-8")) if self.state.exists() else {"seen": [], "table": None}

    def know(self, **changes):
        write(self.state, {**self.known(), **changes})

    def post(self, path, body):
        """One attempt: the answer, or Later, Denied or Refused."""
        headers = {"Authorization": f"Bearer {self.secret}", "Content-Type": "application/json", "X-RBS-Server": self.server}
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), headers)
        try:
            with self.opener.open(request, timeout=TIMEOUT) as answer:
                status, text, after = answer.status, answer.read(), answer.headers.get("Retry-After", "")
                parsed = json.loads(text) if answer.headers.get_content_subtype().endswith("json") else None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Later(f"{self.url} does not answer: {error}") from error
        return judge(status, parsed, float(after) if after.isdigit() else 0.0)

    def retried(self, attempt, timeout):
        """Makes `attempt` until it succeeds; raises its Later where the next one would be after `timeout` seconds."""
        end, pause = time.monotonic() + timeout, self.pause
        while True:
            try:
                return attempt()
            except Later as later:
                wait = max(later.seconds, pause * random.uniform(0.75, 1.0))  # not all servers at the same moment
                if time.monotonic() + wait > end:
                    raise
                log.warning("%s; sent again in %.0f s.", later, wait)
                time.sleep(wait)
                pause = min(2 * pause, LONGEST_PAUSE)

    def hello(self, players, timeout=0.0, **about):
        """To be called when a map begins, with everybody who is there: ids, or objects of `id` and `name`. `about` is the
        `map` and `mode`."""
        known = {"server": self.server, "seats": "letters", "notices_seen": self.known()["seen"][:64]}
        body = sendable({**known, "players": players, **about})
        answer = self.retried(lambda: self.post("/v1/hello", body), timeout)
        self._hear(answer, table=answer["table"] or self.known()["table"])
        now = datetime.fromisoformat(answer["time"][:19] + "+00:00")
        if abs((now - datetime.now(timezone.utc)).total_seconds()) > CLOCK_OFF:
            log.warning("The clock of this machine is not that of the service, %s: set it.", answer["time"])
        return answer

    def report(self, round_, timeout=0.0):
        """To be called when a round has ended. It is on disk before it is sent. Answers what `flush` does. Where no hello
        says who is there, the players of rounds may have names too."""
        name = f"{time.time_ns():020}-{uuid.uuid4().hex[:8]}"
        named = {"round_id": name, "ended_at": datetime.now(timezone.utc).isoformat()}
        named = sendable({**named, **round_, "server": self.server})
        write(self.queue / f"{name}.json", named)
        return self.flush(timeout)

    def flush(self, timeout=0.0):
        """Sends what waits, the oldest first. The answers by `round_id`; that to a refused round has `error`."""
        answers = {}
        while self.retried(lambda: self._send(answers), timeout):
            pass
        return answers

    def _send(self, answers):
        """Sends as many of the rounds that wait as a body has place for, and says whether there were any."""
        if not (waiting := self.waiting()):
            return False
        sizes = itertools.accumulate(len(json.dumps(round_)) for _, round_ in waiting)
        files, rounds = zip(*(each for each, size in zip(waiting, sizes) if each is waiting[0] or size < BATCH_BYTES))
        *before, last = rounds
        last = {**last, "notices_seen": self.known()["seen"][:64]}
        if not before:
            body = self._settle(files[0], last, answers, lambda: self.post("/v1/update", last))
        else:
            results = self.post("/v1/updates", {"rounds": [*before, last], "answers": "brief"}).get("answers", [])
            if len(results) != len(rounds):
                raise Later(f"{self.url} does not answer as RBS does")
            for file, round_, each in zip(files, rounds, results):
                parts = each["status"], each["body"], each["retry_after"] or 0.0
                body = self._settle(file, round_, answers, lambda: judge(*parts))
        self._hear(body)  # of several rounds the last has the notices
        return True

    def _settle(self, file, round_, answers, answer):
        """Takes a round out of the queue once its fate is known; otherwise it stays, and Later or Denied is raised."""
        try:
            body = answer()
            if "duplicate" not in body:
                raise Later(f"{self.url} does not answer as RBS does")
            file.unlink(missing_ok=True)
        except Refused as refused:
            body = {"error": str(refused)}
            log.warning("A round is refused: %s. Mend it, then use rbs import: %s", refused, self.refused / file.name)
            with contextlib.suppress(FileNotFoundError):
                file.replace(self.refused / file.name)
        answers[round_["round_id"]] = body
        return body

    def scramble(self, players, **wishes):
        """A table of splits for `players`: the service's, or the last one with `away`, the reason."""
        body = {"server": self.server, "players": players, "waited": "auto", **wishes, "seats": "letters"}
        body = sendable(body)
        try:
            table = self.post("/v1/scramble", body)
        except (Later, Denied) as error:
            if (table := self.known()["table"]) is None:
                raise
            return {**table, "away": str(error)}
        self._hear(table, table=table)
        return {**table, "away": None}

    def _hear(self, answer, **news):
        """Tells notices that are new, and keeps `news`. What an answer no longer has, the service knows to be seen."""
        if "notices" in answer:
            seen = self.known()["seen"]
            for notice in answer["notices"]:
                if notice["name"] not in seen:
                    self.on_notice(notice)
            self.know(seen=[notice["name"] for notice in answer["notices"]], **news)


def main():
    parser = argparse.ArgumentParser(description="A client of RBS for one game server.")
    parser.add_argument("command", choices=["hello", "round", "flush", "scramble"])
    parser.add_argument("--url", default="http://127.0.0.1:8080", help="where the service is")
    parser.add_argument("--secret-file", type=Path, required=True, help="the file with the game servers' secret")
    parser.add_argument("--server", required=True, help="this server's name at the service")
    parser.add_argument("--state", default=".", help="the folder of the queue and of what else has to last")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds until it gives up; rounds stay queued")
    parser.add_argument("--pause", type=float, default=5.0, help="seconds before the second attempt")
    given = parser.parse_args()
    try:
        body = {} if given.command == "flush" else dict(json.load(sys.stdin))
        secret = given.secret_file.read_text("utf-8").strip()
    except (OSError, TypeError, ValueError) as error:
        parser.error(f"standard input has to be a JSON object, and the secret a file: {error}")
    client = Client(given.url, given.server, secret, given.state, given.pause)
    try:
        if given.command == "hello":
            answer = client.hello(**body, timeout=given.timeout)
        elif given.command == "scramble":
            table = client.scramble(**body)
            answer = {**table, "teams": teams(table, body["players"])}
        else:
            answer = client.report(body, given.timeout) if given.command == "round" else client.flush(given.timeout)
    except (Later, Denied, Refused) as error:
        log.warning("%s. Rounds that wait are kept.", error)
        return 75 if isinstance(error, Later) else 1
    print(json.dumps(answer))
    return int(given.command in ("round", "flush") and any("error" in each for each in answer.values()))


if __name__ == "__main__":
    sys.exit(main())
