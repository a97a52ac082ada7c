/* The reader's framework: one choice for every block, page, language and visit.
 *
 * This script stands in the head and blocks, so that no panel is painted that is not chosen.
 * Without it a page shows every panel, each under its framework's name (see tabs.css).
 */
(() => {
  "use strict";

  const KEPT = "polytab:framework";
  const root = document.documentElement;

  // Where a browser can, its own search finds what is hidden this way, and opens it.
  const HIDDEN = "onbeforematch" in root ? "until-found" : "";

  let chooser = null; // the element under the page's heading
  let titles = new Map(); // of every framework of the handbook, by name
  let chosen = null; // a framework's name
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
  const onPage = () => radios().some((radio) => radio.value === chosen);
  const tabsOf = (block) => [...block.querySelectorAll(".sphinx-tabs-tab")];
  const panelOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
  const tabOf = (panel) => document.getElementById(panel.getAttribute("aria-labelledby"));

  /** Find the choice that this page opens with, in its address or else in what was kept. */
  function recall() {
    const given = new URLSearchParams(location.search).get("tab");
    const kept = attempt(() => localStorage.getItem(KEPT));
    // An address that we wrote ourselves may be older than what was kept: Back leads to such.
    const ours = given !== null && history.state?.tab === given;
    const name = (ours ? [kept, given] : [given, kept]).find((each) => titles.has(each));
    if (name) keep(name);
    chosen = name ?? radios()[0].value;
  }

  function keep(name) {
    const address = new URL(location.href);
    address.searchParams.set("tab", name);
    attempt(() => localStorage.setItem(KEPT, name));
    attempt(() => history.replaceState({ ...history.state, tab: name }, "", address));
  }

  /** Say at a place that the chosen framework is not there, or say nothing. */
  function say(place, sentence, shown = "") {
    const line = place.querySelector(".tab-absence");
    const said = sentence.replace("{chosen}", titles.get(chosen)).replace("{shown}", shown);
    line.hidden = said === "";
    // Only what differs is written: writing wakes the observer that called us.
    if (line.textContent !== said) line.textContent = said;
  }

  /** Show one tab's panel and hide the others of its block, as far as they are parsed. */
  function show(block, shown) {
    const tabs = tabsOf(block);
    for (const tab of tabs) {
      const panel = panelOf(tab);
      tab.setAttribute("aria-selected", String(tab === shown));
      tab.tabIndex = tab === shown ? 0 : -1;
      if (tab === shown) panel?.removeAttribute("hidden");
      else panel?.setAttribute("hidden", HIDDEN);
    }
    // Where the whole page lacks it, the chooser has said so.
    const lacks = onPage() && !tabs.some((tab) => tab.dataset.tab === chosen);
    say(block, lacks ? chooser.dataset.lacksBlock : "", shown.textContent);
  }

  /** Bring all that has been parsed so far in line with the choice. */
  function arrange() {
    if (!chooser) {
      const found = document.querySelector(".chooser");
      if (!found?.nextSibling) return; // not parsed to its end
      chooser = found;
      titles = new Map(Object.entries(JSON.parse(chooser.dataset.frameworks)));
      recall();
      root.classList.add("tabbed");
    }
    for (const radio of radios()) {
      radio.autocomplete = "off"; // no browser brings back an older choice; HTML may not say so
      radio.checked = radio.value === chosen;
    }
    say(chooser, onPage() ? "" : chooser.dataset.lacksPage);
    // What can be taken away is offered for the framework that is shown.
    const offers = [...document.querySelectorAll(".take-chosen > .take-row")];
    const offered = offers.find((offer) => offer.dataset.framework === chosen) ?? offers[0];
    for (const offer of offers) offer.hidden = offer !== offered;
    for (const block of document.querySelectorAll(".sphinx-tabs")) {
      const tabs = tabsOf(block);
      // Without a panel the row itself may not be parsed to its end.
      if (arranged.has(block) || !tabs.length || !panelOf(tabs[0])) continue;
      show(block, tabs.find((tab) => tab.dataset.tab === chosen) ?? tabs[0]);
      if (block.nextSibling) arranged.add(block);
    }
  }

  /** Scroll each row that is wider than the screen to what is selected in it. */
  function scrollRows() {
    const tabs = document.querySelectorAll(".sphinx-tabs-tab[aria-selected=true]");
    const labels = radios().filter((radio) => radio.checked).map((radio) => radio.parentElement);
    for (const each of [...tabs, ...labels]) {
      const row = each.parentElement;
      row.scrollLeft = each.offsetLeft - (row.clientWidth - each.offsetWidth) / 2;
    }
  }

  /** Bring the whole page in line with another choice. */
  function rearrange() {
    arranged = new WeakSet();
    arrange();
    scrollRows();
  }

  /** Choose a framework everywhere; what the reader touched stays where it is on the screen. */
  function choose(name, touched) {
    const place = touched.getBoundingClientRect().top;
    chosen = name;
    keep(name);
    rearrange();
    const moved = touched.getBoundingClientRect().top - place;
    if (moved) scrollBy({ top: moved, behavior: "instant" });
  }

  /** Open the panel around an element, in its block alone: following a link chooses nothing. */
  function open(element) {
    const panel = element?.closest(".sphinx-tabs-panel[hidden]");
    if (!panel) return;
    show(panel.parentElement, tabOf(panel));
    scrollRows();
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
    if (chooser?.contains(target)) choose(target.value, target);
  });

  document.addEventListener("keydown", (event) => {
    const tab = event.target.closest(".sphinx-tabs-tab");
    if (!tab || event.altKey || event.ctrlKey || event.metaKey) return;
    const tabs = [...tab.parentElement.children];
    const last = tabs.length - 1;
    const place = tabs.indexOf(tab);
    const next = {
      ArrowLeft: place ? place - 1 : last,
      ArrowRight: place < last ? place + 1 : 0,
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

  // A page that comes back out of the browser's memory has missed what was chosen since.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted || !chooser) return;
    recall();
    rearrange();
  });

  const observer = new MutationObserver(arrange);
  observer.observe(root, { childList: true, subtree: true });
  document.addEventListener("DOMContentLoaded", () => {
    observer.disconnect();
    rearrange();
    openTarget();
  });
})();
