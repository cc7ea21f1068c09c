// Starts a service for the tests, on a free port and with a temporary database.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { madeUpRounds } from "./rounds.mjs";

export const SECRET = "the-game-servers-secret";
export const ADMIN_SECRET = "the-admins-secret";

const CONFIGURATION = `
[leaderboard]
public = "ratings"
player_pages = true
match_pages = true
title = "Our servers"
[pools.default]
shadow_rounds = 30
challengers = ["adaptive", "elo"]
[pools.arena]
shadow_rounds = 5
[servers.public-1]
[servers.arena-1]
pool = "arena"
`;

/** Starts the program at `binary` and reports the generated rounds. */
export async function startService(binary) {
  const folder = await mkdtemp(join(tmpdir(), "rbs-browser-"));
  await writeFile(join(folder, "rbs.toml"), CONFIGURATION);
  const child = spawn(binary, ["--config", "rbs.toml"], {
    cwd: folder,
    env: { PATH: process.env.PATH, RBS_BIND: "127.0.0.1:0", RBS_SECRET: SECRET, RBS_ADMIN_SECRET: ADMIN_SECRET },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stderr.on("data", (text) => {
    log = (log + text).slice(-4000);
  });
  const url = await Promise.race([
    address(child),
    once(child, "exit").then(() => Promise.reject(new Error(`the service did not start:\n${log}`))),
  ]);
  const service = {
    url,
    /** The generated rounds, oldest first. */
    rounds: madeUpRounds(Date.now()),
    /** Posts `body` as a game server and returns the answer. */
    ask(path, body) {
      return post(url, path, body);
    },
    /** Reports `rounds`, oldest first. */
    async count(rounds) {
      for (let begin = 0; begin < rounds.length; begin += 64) {
        const { answers } = await post(url, "/v1/updates", { rounds: rounds.slice(begin, begin + 64) });
        for (const { status, body } of answers) {
          if (status !== 200) {
            throw new Error(`a round was refused: ${JSON.stringify(body)}`);
          }
        }
      }
    },
    async stop() {
      if (child.exitCode === null) {
        child.kill("SIGTERM");
        await once(child, "exit");
      }
      await rm(folder, { recursive: true });
    },
  };
  try {
    await service.count(service.rounds);
  } catch (error) {
    await service.stop();
    throw error;
  }
  return service;
}

/** Starts the program at `binary` in a terminal, where it prints a login link. Returns the link and a `stop` function. */
export async function startAtTerminal(binary) {
  const folder = await mkdtemp(join(tmpdir(), "rbs-browser-"));
  // `script` provides the terminal. The program ends with it.
  const child = spawn("script", ["--quiet", "--flush", "--return", "--command", `exec '${binary}'`, "/dev/null"], {
    cwd: folder,
    env: { PATH: process.env.PATH, SHELL: "/bin/sh", RBS_BIND: "127.0.0.1:0" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let said = "";
  const link = await new Promise((resolve, reject) => {
    child.stdout.on("data", (text) => {
      said += text;
      const found = /http:\/\/\S+\/#\/enter\/\S+/.exec(said);
      if (found && said.includes("curl ")) {
        resolve(found[0]);
      }
    });
    child.once("exit", () => reject(new Error(`the service did not start:\n${said}`)));
  });
  return {
    link,
    async stop() {
      const ended = once(child, "exit");
      // Ctrl-C.
      child.stdin.write("\x03");
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

async function address(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    const found = /http:\/\/\S+/.exec(line);
    if (found) {
      // Keep reading, so that the pipe does not fill up.
      child.stdout.resume();
      return found[0];
    }
  }
  return new Promise(() => {});
}

async function post(url, path, body) {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${SECRET}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  }
  return response.json();
}
