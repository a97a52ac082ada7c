/* What a page does for its reader beyond the choice of a framework. */
(() => {
  "use strict";

  const root = document.documentElement;

  // A box that is wider than the page is reached by keys, so that they can scroll it.
  const boxes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  for (const box of document.querySelectorAll("article :is(pre, .table-wrapper, .equation-body)")) {
    boxes.observe(box);
  }

  // What tabs.js has put off is laid out section by section, so that a reader never waits for it.
  const idle = window.requestIdleCallback ?? setTimeout;
  const waiting = [...document.querySelectorAll(".arriving section > section")];
  function arrive() {
    waiting.shift()?.classList.add("arrived");
    if (waiting.length) requestAnimationFrame(() => idle(arrive));
    else root.classList.remove("arriving");
  }
  if (root.matches(".arriving")) addEventListener("load", () => idle(arrive));

  // The framework and the place on the page go along to another language.
  const follow = ({ currentTarget: link }) => {
    link.search = location.search;
    link.hash = location.hash;
  };
  for (const link of document.querySelectorAll(".languages a")) {
    link.addEventListener("click", follow);
    link.addEventListener("auxclick", follow);
  }
})();
