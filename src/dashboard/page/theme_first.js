// Applies a stored theme before the first paint, so that the page does not flash in the other theme.
(() => {
  const chosen = localStorage.getItem("rbs.theme");
  if (chosen === "light" || chosen === "dark") {
    document.documentElement.dataset.theme = chosen;
  }
})();
