// The verdict on the predictions, and warnings about maps and servers.

import { h } from "../../dom.js";
import { sentence } from "../../format.js";
import { address } from "../../router.js";
import { warningSection } from "../panels.js";

/** The first words of the service's sentence for each verdict, and their colour. */
const WORDS = {
  honest: ["Honest", "good"],
  too_bold: ["Too bold", "off"],
  too_timid: ["Too timid", "off"],
  too_even: ["Too even", "open"],
  too_few_rounds: ["Too few rounds", "open"],
};

/** Returns the service's sentence with its first words in bold. */
export function wordOf({ verdict: word, message }) {
  const [begun] = WORDS[word];
  return [h("strong", null, begun), message.slice(begun.length)];
}

export function verdict({ verdict: { word, message, command, setting } }) {
  const [, colour] = WORDS[word];
  return h("section", { class: `verdict ${colour}`, "data-key": "verdict", "aria-labelledby": "verdict" },
    h("h2", { id: "verdict" }, "Are the predictions accurate?"),
    h("p", { class: "say" }, wordOf({ verdict: word, message })),
    command && h("dl", { class: "steps" },
      h("dt", null, "Preview the change"), h("dd", null, h("code", null, command)),
      setting
        ? [h("dt", null, "Add this setting, then restart RBS"), h("dd", null, h("code", null, setting))]
        : [h("dt", null, "Apply it"), h("dd", null, h("code", null, command.replace(" --dry-run", "")))]));
}

export function warnings({ warnings: sentences, departures, pool, rounds }) {
  if (sentences.length === 0) {
    return rounds > 0 && h("p", { class: "calm", "data-key": "calm" }, "On all maps and servers, results differ from the predictions by no more than chance.");
  }
  const server = (text) => departures.find((one) => one.message === text)?.server;
  return warningSection("warnings", "Needs attention", sentences.map((text) => [sentence(text), server(text) && [" ", h("a", { href: address("rounds", [], { pool, server: server(text) }) }, `Rounds of ${server(text)}`)]]));
}
