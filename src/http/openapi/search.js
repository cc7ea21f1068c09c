"use strict";
(() => {
  const field = document.getElementById("search");
  const found = document.getElementById("found");
  const groups = [...document.querySelectorAll("main .group")];
  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash, link.parentElement]));
  const entries = [...document.querySelectorAll("details.entry")].map((details) => ({
    details,
    link: links.get(`#${details.querySelector(".inside").id}`),
    words: [...details.querySelectorAll(":scope > summary, :scope > .inside > p, dt")]
      .map((part) => part.textContent).join(" ").toLowerCase(),
  }));

  function filter() {
    const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { details, link, words } of entries) {
      const fits = wanted.every((word) => words.includes(word));
      details.hidden = !fits;
      if (link) link.hidden = !fits;
      count += fits;
    }
    for (const group of groups) {
      group.hidden = !group.querySelector("details.entry:not([hidden])");
      links.get(`#${group.id}`).hidden = group.hidden;
    }
    found.textContent = wanted.length > 0 ? `${count} of ${entries.length} found` : "";
  }

  // A link leads to what is folded, or not found, too.
  function show() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]")) {
      field.value = "";
      filter();
    }
    const details = target.closest("details.entry");
    if (details) details.open = true;
    (details ?? target).scrollIntoView();
  }

  document.getElementById("searching").hidden = false;
  field.addEventListener("input", filter);
  addEventListener("hashchange", show);
  // A browser keeps what was typed when the page is loaded again.
  filter();
  show();
})();
