/* The reader's device: CPU or CUDA, one choice for every block, page, language and visit.
 *
 * This script stands in the head of the pages that have recordings of both, and blocks, so that
 * nothing is painted that is not chosen. Without it both are shown, each under its device's name.
 */
(() => {
  "use strict";

  const KEPT = "polytab:device";
  const DEVICES = ["cpu", "cuda"];
  const root = document.documentElement;

  // Where a browser can, its own search finds what is hidden this way, and opens it.
  const HIDDEN = "onbeforematch" in root ? "until-found" : "";

  let chosen = DEVICES[0];
  let arranged = new WeakSet(); // what follows the choice

  /** Do what a browser may forbid: storage, or a new address for a page from the disk. */
  const attempt = (action) => {
    try {
      return action();
    } catch {
      return null;
    }
  };

  /** Find the choice that this page opens with, in its address or else in what was kept. */
  function recall() {
    const given = new URLSearchParams(location.search).get("device");
    const kept = attempt(() => localStorage.getItem(KEPT));
    // An address that we wrote ourselves may be older than what was kept: Back leads to such.
    const ours = given !== null && history.state?.device === given;
    const name = (ours ? [kept, given] : [given, kept]).find((each) => DEVICES.includes(each));
    if (name) keep(name);
    chosen = name ?? DEVICES[0];
  }

  function keep(name) {
    const address = new URL(location.href);
    address.searchParams.set("device", name);
    attempt(() => localStorage.setItem(KEPT, name));
    attempt(() => history.replaceState({ ...history.state, device: name }, "", address));
  }

  /** Show or hide what belongs to one device. */
  function place(each, device) {
    each.classList.remove("opened");
    if (each.dataset.device === device) each.removeAttribute("hidden");
    else each.setAttribute("hidden", each.matches(".device-part") ? HIDDEN : "");
  }

  /** Bring all that has been parsed so far in line with the choice. */
  function arrange() {
    for (const radio of document.querySelectorAll(".device-switch input")) {
      radio.autocomplete = "off"; // no browser brings back an older choice; HTML may not say so
      radio.checked = radio.value === chosen;
    }
    for (const each of document.querySelectorAll("[data-device]")) {
      if (arranged.has(each)) continue;
      place(each, chosen);
      arranged.add(each);
    }
  }

  /** Bring the whole page in line with another choice. */
  function rearrange() {
    arranged = new WeakSet();
    arrange();
  }

  /** Show a hidden part in its block alone, under its name: following a link chooses nothing. */
  function open(part) {
    for (const each of part.parentElement.children) {
      if (each.dataset.device) place(each, part.dataset.device);
    }
    part.classList.add("opened");
  }

  function openTarget() {
    const id = attempt(() => decodeURIComponent(location.hash.slice(1)));
    const target = document.getElementById(id);
    const part = target?.closest(".device-part[hidden]");
    if (!part) return;
    open(part);
    target.scrollIntoView(); // the browser may have looked for it while it was hidden
  }

  document.addEventListener("change", ({ target }) => {
    if (!target.closest(".device-switch")) return;
    const place = target.getBoundingClientRect().top;
    chosen = target.value;
    keep(chosen);
    rearrange();
    const moved = target.getBoundingClientRect().top - place;
    if (moved) scrollBy({ top: moved, behavior: "instant" });
  });

  document.addEventListener("beforematch", ({ target }) => {
    const part = target.closest(".device-part[hidden]");
    if (part) open(part);
  });
  addEventListener("hashchange", openTarget);

  // A page that comes back out of the browser's memory has missed what was chosen since.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    recall();
    rearrange();
  });

  recall();
  root.classList.add("switched");
  const observer = new MutationObserver(arrange);
  observer.observe(root, { childList: true, subtree: true });
  document.addEventListener("DOMContentLoaded", () => {
    observer.disconnect();
    rearrange();
    openTarget();
  });
})();
