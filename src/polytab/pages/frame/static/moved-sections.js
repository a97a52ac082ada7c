/* A link to a section that is on another page by now leads on to it. */
(() => {
  "use strict";

  const lines = [...document.querySelectorAll(".moved-section")];

  /** Go where the section went that the address names; its line on this page holds the link. */
  function follow() {
    const asked = lines.find((each) => new URL(`#${each.id}`, location).hash === location.hash);
    const link = asked?.querySelector("a");
    if (!link) return;
    const there = new URL(link.href);
    there.search = location.search; // the framework goes along
    location.replace(there);
  }

  follow();
  addEventListener("hashchange", follow);
})();
