// Light, dark, or as the system has it.

import { redrawAll } from "./charts/plot.js";

const CHOSEN = "rbs.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** Whether the page is dark now. */
export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system.matches;
}

/** Changes to the other theme; going back to what the system has forgets the choice. */
export function changeTheme() {
  const wanted = isDark() ? "light" : "dark";
  if ((wanted === "dark") === system.matches) {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem(CHOSEN);
  } else {
    document.documentElement.dataset.theme = wanted;
    localStorage.setItem(CHOSEN, wanted);
  }
  redrawAll();
}

/** Calls `changed` whenever the system changes to the other theme. */
export function whenSystemChanges(changed) {
  system.addEventListener("change", () => {
    redrawAll();
    changed();
  });
}
