// Runs before the first paint, so that a theme that was chosen does not flash up as the other one.
(() => {
  const chosen = localStorage.getItem("rbs.theme");
  if (chosen === "light" || chosen === "dark") {
    document.documentElement.dataset.theme = chosen;
  }
})();
