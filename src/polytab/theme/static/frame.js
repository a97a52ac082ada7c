/* The switch of the colour scheme, the drawers of a narrow screen, and where the reader is. */
(() => {
  "use strict";

  const root = document.documentElement;
  const header = document.querySelector(".mobile-header");
  const list = document.querySelector(".toc-scroll");
  const toggles = document.querySelectorAll(".theme-toggle");

  // Light, dark, and what the system says: first the one that differs from what is seen.

  function nameScheme() {
    for (const each of toggles) {
      each.title = each.dataset[root.dataset.theme];
      each.setAttribute("aria-label", each.title);
    }
  }

  function changeScheme() {
    const order = matchMedia("(prefers-color-scheme: dark)").matches
      ? ["auto", "light", "dark"]
      : ["auto", "dark", "light"];
    root.dataset.theme = order[(order.indexOf(root.dataset.theme) + 1) % 3];
    try {
      localStorage.setItem("theme", root.dataset.theme);
    } catch { /* storage is closed: it holds for this page */ }
    nameScheme();
  }

  for (const each of toggles) each.addEventListener("click", changeScheme);
  nameScheme();

  // A drawer's label becomes a button; without script the box that it labels can be reached.

  /** Put a button in the place of a label, with its look. */
  function buttonFor(label, box, drawer) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = label.className;
    button.setAttribute("aria-label", box.getAttribute("aria-label"));
    button.setAttribute("aria-controls", drawer);
    button.append(...label.childNodes);
    label.replaceWith(button);
    return button;
  }

  for (const [name, drawer] of [["open-navigation", "sidebar-drawer"], ["open-contents", "toc-drawer"]]) {
    const box = document.getElementById(name);
    const panel = document.getElementById(drawer);
    if (!box || !panel) continue;
    const labels = [...document.querySelectorAll(`.page label[for=${name}]`)];
    const signs = labels.map((label) => buttonFor(label, box, drawer));
    const tell = () => {
      for (const sign of signs) sign.setAttribute("aria-expanded", String(box.checked));
    };
    const set = (open, byKey) => {
      box.checked = open;
      tell();
      if (!byKey) return;
      const places = open ? [...panel.querySelectorAll("a, input, button")] : signs;
      places.find((place) => place.checkVisibility())?.focus();
    };
    for (const sign of signs) {
      // A click that no pointer made comes from a key.
      sign.addEventListener("click", ({ detail }) => set(!box.checked, detail === 0));
    }
    panel.addEventListener("keydown", ({ key }) => {
      if (key === "Escape" && box.checked) set(false, true);
    });
    panel.addEventListener("click", ({ target }) => {
      if (target.closest("a[href^='#']")) set(false, false); // the place is on this page
    });
    box.addEventListener("change", tell);
    box.classList.add("replaced");
    tell();
  }

  // Where the reader is: the header's shadow, the way back to the top, the section in the contents.

  const places = [...document.querySelectorAll(".toc-tree a")]
    .map((link) => ({ link, section: document.getElementById(decodeURIComponent(link.hash.slice(1))) }))
    .filter(({ section }) => section);
  let height = scrollY;
  let asked = false;
  let current = null;

  /** Mark in the contents the last section that has begun, and all above it. */
  function mark() {
    const { fontSize, scrollPaddingTop } = getComputedStyle(root); // what covers the page's top
    const line = parseFloat(scrollPaddingTop) + 2.5 * parseFloat(fontSize) + 1;
    const begun = places.filter(({ section }) => section.getBoundingClientRect().top <= line);
    const end = Math.ceil(scrollY + innerHeight) >= root.scrollHeight;
    const place = end && scrollY ? places.at(-1) : begun.at(-1);
    if (place?.link === current) return;
    current?.removeAttribute("aria-current");
    current = place?.link;
    for (const item of list.querySelectorAll(".scroll-current")) item.classList.remove("scroll-current");
    for (let item = current?.closest("li"); item; item = item.parentElement.closest("li")) {
      item.classList.add("scroll-current");
    }
    if (!current) return;
    current.setAttribute("aria-current", "location");
    // Only the list itself scrolls, and only as far as it must.
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

  addEventListener("scroll", ask, { passive: true });
  addEventListener("resize", ask);
  ask();

  // A box that is wider than the page is reached by keys, so that they can scroll it.

  const boxes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute("tabindex");
    }
  });
  const wide = "article :is(pre, .table-wrapper, .equation-body, .drawing-box)";
  for (const box of document.querySelectorAll(wide)) boxes.observe(box);
})();
