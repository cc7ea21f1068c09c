// Whether the predictions are honest, in a sentence, and what departs from them.

import { h } from "../../dom.js";
import { sentence } from "../../format.js";
import { address } from "../../router.js";

/** How each sentence begins, and the colour of that. */
const WORDS = {
  honest: ["Honest", "good"],
  too_bold: ["Too bold", "off"],
  too_timid: ["Too timid", "off"],
  too_even: ["Too even", "good"],
  too_few_rounds: ["Too few rounds", "open"],
};

export function verdict({ verdict: { word, say, command, setting } }) {
  const [begun, colour] = WORDS[word];
  return h("section", { class: `verdict ${colour}`, "data-key": "verdict", "aria-labelledby": "verdict" },
    h("h2", { id: "verdict" }, "Are the predictions honest?"),
    h("p", { class: "say" }, h("strong", null, begun), say.slice(begun.length)),
    command && h("dl", { class: "steps" },
      h("dt", null, "Try it, which changes nothing"), h("dd", null, h("code", null, command)),
      h("dt", null, "Then set it, and restart RBS"), h("dd", null, h("code", null, setting))));
}

export function warnings({ warnings: sentences, departures, pool, rounds }) {
  if (sentences.length === 0) {
    return rounds > 0 && h("p", { class: "calm", "data-key": "calm" }, "No map and no server departs from the predictions by more than chance.");
  }
  const server = (text) => departures.find((one) => one.say === text)?.server;
  return h("section", { class: "warnings", "data-key": "warnings", "aria-labelledby": "warnings" },
    h("h2", { id: "warnings" }, "Needs attention"),
    h("ul", null, sentences.map((text) => h("li", null, sentence(text), server(text) && [" ", h("a", { href: address("rounds", [], { pool, server: server(text) }) }, `Rounds of ${server(text)}`)]))));
}
