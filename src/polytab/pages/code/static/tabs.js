/* The reader's framework: one choice for every block, page, language and visit; where there is
 * room, another beside it if the reader likes.
 *
 * This script stands in the head and blocks, so that no panel is painted that is not chosen.
 * Without it a page shows every panel, each under its framework's name (see tabs.css).
 */
(() => {
  "use strict";

  const KEPT = "polytab:framework";
  const KEPT_BESIDE = "polytab:beside";
  const root = document.documentElement;
  const place = window.polytabPlace;

  const wide = matchMedia("(min-width: 80rem)"); // as in tabs.css

  // Where a browser can, its own search finds what is hidden this way, and opens it.
  const HIDDEN = "onbeforematch" in root ? "until-found" : "";

  // A page that is opened at its top is laid out from there on; layout-later.js does the rest when there
  // is time. Who comes back, or to a place in it, needs all of it where it belongs.
  const [entry] = performance.getEntriesByType("navigation");
  const atTop = !location.hash && !place.awaits && entry?.type === "navigate";
  if (atTop) root.classList.add("arriving");

  let chooser = null; // the element under the page's heading; the next says what the page lacks
  let titles = new Map(); // of every framework of the book, by name
  let chosen = null; // a framework's name
  let beside = ""; // another's, or none
  let arranged = new WeakSet(); // blocks that follow the choice and are parsed to their end

  /** Do what a browser may forbid: storage, or a new address for a page from the disk. */
  const attempt = (action) => {
    try {
      return action();
    } catch {
      return null;
    }
  };

  const radios = () => [...(chooser?.querySelectorAll("input") ?? [])];
  const onPage = (name) => radios().some((radio) => radio.value === name);
  const second = () => (wide.matches && radios().length > 1 && beside !== chosen ? beside : "");
  const tabsOf = (block) => [...block.querySelectorAll(".sphinx-tabs-tab")];
  const panelsOf = (block) => [...block.querySelectorAll(":scope > .sphinx-tabs-panel")];

  /** Find the choice that this page opens with, in its address or else in what was kept. */
  function recall() {
    const given = new URLSearchParams(location.search);
    const find = (key, at, known) => {
      const kept = attempt(() => localStorage.getItem(at));
      const asked = given.get(key);
      // An address that we wrote ourselves may be older than what was kept: Back leads to such.
      const ours = asked !== null && history.state?.[key] === asked;
      return (ours ? [kept, asked] : [asked, kept]).find(known);
    };
    const name = find("tab", KEPT, (each) => titles.has(each));
    chosen = name ?? radios()[0].value;
    beside = find("beside", KEPT_BESIDE, (each) => each === "" || titles.has(each)) ?? "";
    if (name || beside) keep();
  }

  function keep() {
    const address = new URL(location.href);
    address.searchParams.set("tab", chosen);
    if (beside && beside !== chosen) address.searchParams.set("beside", beside);
    else address.searchParams.delete("beside");
    attempt(() => localStorage.setItem(KEPT, chosen));
    attempt(() => localStorage.setItem(KEPT_BESIDE, beside));
    attempt(() => history.replaceState({ ...history.state, tab: chosen, beside }, "", address));
  }

  /** Say in a line which of the frameworks asked for are not there, or say nothing. */
  function say(line, sentence, missing, shown = "") {
    const said = missing
      .map((name) => sentence.replace("{chosen}", titles.get(name)).replace("{shown}", shown))
      .join(" ");
    line.hidden = said === "";
    // Only what differs is written: writing wakes the observer that called us.
    if (line.textContent !== said) line.textContent = said;
  }

  /** Show one tab's panel, and the second framework's, and hide the others of a block, as far as
   * they are parsed. Only one tab is selected: what stands beside its panel is a group (tabs.css).
   */
  function show(block, shown) {
    const tabs = tabsOf(block);
    const has = (name) => tabs.some((tab) => tab.dataset.tab === name);
    const panels = panelsOf(block);
    for (const [at, tab] of tabs.entries()) {
      const panel = panels[at];
      const other = tab !== shown && tab.dataset.tab === second();
      tab.setAttribute("aria-selected", String(tab === shown));
      tab.tabIndex = tab === shown ? 0 : -1;
      if (!panel) continue;
      tab.id = `${panel.id}-tab`;
      tab.setAttribute("aria-controls", panel.id);
      panel.setAttribute("aria-labelledby", tab.id);
      panel.setAttribute("role", other ? "group" : "tabpanel");
      if (tab === shown || other) panel.removeAttribute("hidden");
      else panel.setAttribute("hidden", HIDDEN);
    }
    // Where the whole page lacks one, the chooser has said so.
    const missing = [chosen, second()].filter((name) => onPage(name) && !has(name));
    say(block.querySelector(".tab-absence"), chooser.dataset.lacksBlock, missing, shown.textContent);
  }

  /** Offer what can stand beside the chosen framework, and make room for it on the page. */
  function offerSecond() {
    const name = second();
    const select = chooser.querySelector("select");
    root.classList.toggle("beside", onPage(chosen) && onPage(name));
    if (!select) return;
    select.autocomplete = "off";
    if (name && !onPage(name) && select.lastChild.value !== name) {
      select.add(new Option(titles.get(name), name)); // so that it is seen, and can be given up
    }
    for (const option of select) option.disabled = option.value === chosen;
    select.value = name;
  }

  /** Bring all that has been parsed so far in line with the choice. */
  function arrange() {
    if (!chooser) {
      const found = document.querySelector(".chooser");
      if (!found?.nextElementSibling) return; // not parsed to its end
      chooser = found;
      titles = new Map(Object.entries(JSON.parse(chooser.dataset.frameworks)));
      recall();
      root.classList.add("tabbed");
    }
    if (!arranged.has(chooser)) {
      for (const radio of radios()) {
        radio.autocomplete = "off"; // no browser brings back an older choice; HTML may not say so
        radio.checked = radio.value === chosen;
      }
      offerSecond();
      const missing = [chosen, second()].filter((name) => name && !onPage(name));
      say(chooser.nextElementSibling, chooser.dataset.lacksPage, missing);
      arranged.add(chooser);
    }
    // Downloads are offered for the framework that is shown.
    const offers = [...document.querySelectorAll(".downloads-chosen > .downloads-row")];
    const offered = offers.find((offer) => offer.dataset.framework === chosen) ?? offers[0];
    for (const offer of offers) offer.hidden = offer !== offered;
    for (const block of document.querySelectorAll(".sphinx-tabs")) {
      if (arranged.has(block)) continue;
      const tabs = tabsOf(block);
      // Without a panel the row itself may not be parsed to its end.
      if (!tabs.length || !panelsOf(block).length) continue;
      const named = (name) => tabs.find((tab) => tab.dataset.tab === name);
      show(block, named(chosen) ?? named(second()) ?? tabs[0]);
      if (block.nextSibling) arranged.add(block);
    }
  }

  const rows = () => [
    ...document.querySelectorAll(".sphinx-tabs > [role=tablist]"),
    ...radios().slice(0, 1).map((radio) => radio.parentElement.parentElement),
  ];

  /** Scroll a row that is wider than the screen to what is selected in it. */
  function scrollRow(row) {
    const each =
      row.querySelector("[aria-selected=true]") ?? row.querySelector("input:checked")?.parentElement;
    if (each) row.scrollLeft = each.offsetLeft - (row.clientWidth - each.offsetWidth) / 2;
  }

  /** Bring the whole page in line with another choice. */
  function rearrange() {
    arranged = new WeakSet();
    arrange();
    rows().forEach(scrollRow);
  }

  /** Choose a framework everywhere; the two change places where it is the second. */
  function choose(name, touched) {
    if (name === beside) beside = chosen;
    chosen = name;
    follow(touched);
  }

  /** Bring the page in line. What the reader touched stays where it is on the screen; if that is the
   * chooser at its top, which stays of itself, then what the reader was reading.
   */
  function follow(touched) {
    keep();
    if (chooser.contains(touched) && chooser.getBoundingClientRect().bottom <= place.line() + 1) {
      return rearrangeAround();
    }
    const top = touched.getBoundingClientRect().top;
    rearrange();
    const moved = touched.getBoundingClientRect().top - top;
    if (moved) scrollBy({ top: moved, behavior: "instant" });
  }

  /** Bring the page in line, and leave what is in sight where it is. */
  const rearrangeAround = () => place.hold(rearrange, landmarks, standIn);

  /** Return what can be held for a part that may be hidden: what follows its block in the upper half
   * of the screen, or the next cell there; else its panel, or what is around it.
   */
  function landmarks(element) {
    const middle = (place.line() + innerHeight) / 2;
    const near = (each) => each?.getBoundingClientRect().top < middle && each;
    const panel = element.closest(".sphinx-tabs-panel");
    const cells = [...(panel?.querySelectorAll(".snippet") ?? [])];
    const cell = cells.find((each) => each.getBoundingClientRect().bottom > place.line() + 1);
    const block = element.closest(".sphinx-tabs");
    return [near(after(block)), near(cell), panel, block, element.parentElement].filter(Boolean);
  }

  /** Return what is shown after a block. */
  function after(block) {
    let each = block;
    while (each && !each.nextElementSibling) each = each.parentElement;
    each = each?.nextElementSibling;
    return each && !each.checkVisibility() ? after(each) : each;
  }

  /** Return what is shown for a hidden panel, or for the same cell in one. */
  function standIn(hidden) {
    const block = hidden.closest(".sphinx-tabs");
    const panel = block?.querySelector(":scope > [role=tabpanel]:not([hidden])");
    if (hidden.matches(".sphinx-tabs-panel")) return panel;
    const cells = [...(panel?.querySelectorAll(".snippet") ?? [])];
    return hidden.dataset.cell && cells.find((each) => each.dataset.cell === hidden.dataset.cell);
  }

  /** Open the panel around an element, in its block alone: following a link chooses nothing. */
  function open(element) {
    const panel = element?.closest(".sphinx-tabs-panel[hidden]");
    if (!panel) return;
    const block = panel.parentElement;
    const tab = tabsOf(block)[panelsOf(block).indexOf(panel)];
    show(block, tab);
    scrollRow(tab.parentElement);
  }

  function openTarget() {
    const id = attempt(() => decodeURIComponent(location.hash.slice(1)));
    const target = document.getElementById(id);
    if (!target?.closest(".sphinx-tabs-panel[hidden]")) return;
    open(target);
    target.scrollIntoView(); // the browser may have looked for it while it was hidden
  }

  document.addEventListener("click", ({ target }) => {
    const tab = target.closest(".sphinx-tabs-tab");
    if (tab) choose(tab.dataset.tab, tab);
  });

  document.addEventListener("change", ({ target }) => {
    if (!chooser?.contains(target)) return;
    if (target.type === "radio") return choose(target.value, target);
    beside = target.value;
    follow(target);
  });

  document.addEventListener("keydown", (event) => {
    const tab = event.target.closest(".sphinx-tabs-tab");
    if (!tab || event.altKey || event.ctrlKey || event.metaKey) return;
    const tabs = [...tab.parentElement.children];
    const last = tabs.length - 1;
    const at = tabs.indexOf(tab);
    const next = {
      ArrowLeft: at ? at - 1 : last,
      ArrowRight: at < last ? at + 1 : 0,
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(tabs[next].dataset.tab, tabs[next]);
    tabs[next].focus();
  });

  document.addEventListener("beforematch", ({ target }) => open(target));
  addEventListener("hashchange", openTarget);
  wide.addEventListener("change", () => chooser && rearrangeAround());

  // A page that comes back out of the browser's memory has missed what was chosen since.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted || !chooser) return;
    recall();
    rearrangeAround();
  });

  const observer = new MutationObserver(arrange);
  observer.observe(root, { childList: true, subtree: true });
  document.addEventListener("DOMContentLoaded", () => {
    observer.disconnect();
    arrange();
    openTarget();
    // To ask at once how wide they are would have the browser lay out all of the page.
    const sizes = new ResizeObserver((seen) => seen.forEach(({ target }) => scrollRow(target)));
    rows().forEach((row) => sizes.observe(row));
  });
})();
