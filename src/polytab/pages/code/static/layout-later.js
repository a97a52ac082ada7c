/* What tabs.js has put off is laid out section by section, so that a reader never waits for it. */
(() => {
  "use strict";

  const root = document.documentElement;
  const idle = window.requestIdleCallback ?? setTimeout;
  const waiting = [...document.querySelectorAll(".arriving section > section")];

  function arrive() {
    waiting.shift()?.classList.add("arrived");
    if (waiting.length) requestAnimationFrame(() => idle(arrive));
    else root.classList.remove("arriving");
  }

  if (root.matches(".arriving")) addEventListener("load", () => idle(arrive));
})();
