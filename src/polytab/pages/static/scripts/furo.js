/* What furo's own script of this name does, in a third of it: the switch between light and dark,
 * the way back to the top, and where on the page the reader is. */
(() => {
  "use strict";

  const root = document.documentElement;
  const header = document.querySelector("header");
  const list = document.querySelector(".toc-scroll");
  const places = [...document.querySelectorAll(".toc-tree a")]
    .map((link) => ({ link, section: document.getElementById(decodeURIComponent(link.hash.slice(1))) }))
    .filter(({ section }) => section);
  let height = scrollY;
  let asked = false;
  let current = null;

  function changeTheme() {
    const { dataset } = document.body;
    const order = matchMedia("(prefers-color-scheme: dark)").matches
      ? ["auto", "light", "dark"]
      : ["auto", "dark", "light"];
    dataset.theme = order[(order.indexOf(dataset.theme) + 1) % 3];
    try {
      localStorage.setItem("theme", dataset.theme);
    } catch { /* storage is closed: it holds for this page */ }
  }

  /** Mark in the list the last section that has begun, and all above it. */
  function mark() {
    const line = header.getBoundingClientRect().bottom + 2.5 * parseFloat(getComputedStyle(root).fontSize) + 1;
    const begun = places.filter(({ section }) => section.getBoundingClientRect().top <= line);
    const end = Math.ceil(scrollY + innerHeight) >= root.scrollHeight;
    const place = end && scrollY ? places.at(-1) : begun.at(-1);
    if (place?.link === current) return;
    current = place?.link;
    for (const item of list.querySelectorAll(".scroll-current")) item.classList.remove("scroll-current");
    for (let item = current?.closest("li"); item; item = item.parentElement.closest("li")) {
      item.classList.add("scroll-current");
    }
    // Only the list itself scrolls, and only as far as it must.
    if (!current) return;
    const seen = list.getBoundingClientRect();
    const at = current.getBoundingClientRect();
    if (at.top < seen.top) list.scrollTop += at.top - seen.top - 16;
    if (at.bottom > seen.bottom) list.scrollTop += at.bottom - seen.bottom + 16;
  }

  function follow() {
    asked = false;
    header.classList.toggle("scrolled", scrollY > 0);
    if (scrollY !== height) root.classList.toggle("show-back-to-top", scrollY >= 64 && scrollY < height);
    height = scrollY;
    if (list) mark();
  }

  function ask() {
    if (!asked) requestAnimationFrame(follow);
    asked = true;
  }

  root.classList.remove("no-js");
  for (const button of document.querySelectorAll(".theme-toggle")) {
    button.addEventListener("click", changeTheme);
  }
  addEventListener("scroll", ask, { passive: true });
  addEventListener("resize", ask);
  ask();
})();
