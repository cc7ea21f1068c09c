// The colour theme: light, dark, or the system's.

import { redrawAll } from "./charts/plot.js";

const CHOSEN = "rbs.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** Returns `true` if the dark theme is active. */
export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system.matches;
}

/** Switches the theme. Choosing the system's theme removes the stored choice. */
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

/** Calls `changed` whenever the system's theme changes. */
export function whenSystemChanges(changed) {
  system.addEventListener("change", () => {
    redrawAll();
    changed();
  });
}
