/* Where the reader is: the first part of the article below what covers the top of the screen, and
 * how much of it has gone by. What changes the page, or leads to it in another language, leaves that
 * part where it is on the screen. `window.polytabPlace` is what other scripts ask.
 *
 * This script stands in the head: a page that is opened at a kept place is laid out whole (tabs.js).
 */
(() => {
  "use strict";

  const KEPT = "polytab:place";
  const root = document.documentElement;
  const PARTED = "article, section, div, details, ul, ol, dl, blockquote";

  /** Return how far down the bars at the top of the screen reach. */
  const line = () => parseFloat(getComputedStyle(root).scrollPaddingTop) || 0;

  const isShown = (each) => each.checkVisibility() && !each.matches("[hidden]");

  /** Return the first part of the article below the line; none where the page is at its top. */
  function inSight() {
    if (!scrollY) return null;
    const from = line() + 1;
    const below = (each) =>
      !each.matches(".chooser") && isShown(each) && each.getBoundingClientRect().bottom > from;
    let found = document.querySelector("article");
    for (let inner = found; inner; inner = inner.matches(PARTED) && [...inner.children].find(below)) {
      found = inner;
    }
    return found;
  }

  /** Measure where an element stands: how far below the line, or how much of it is above. */
  function measure(element) {
    const { top, height } = element.getBoundingClientRect();
    const gap = top - line();
    return gap < 0 ? { gap: 0, gone: -gap / height } : { gap, gone: 0 };
  }

  /** Scroll so that an element stands as this one, or its like, has stood. */
  function put(element, { gap, gone }) {
    const { top, height } = element.getBoundingClientRect();
    scrollBy({ top: top - line() - gap + gone * height, behavior: "instant" });
  }

  /** Change the page and leave where it is what the reader sees.
   *
   * `landmarks(element)` gives what else can be held, best first, and `standIn(landmark)` what is in
   * the place of one after the change.
   */
  function hold(change, landmarks, standIn) {
    const element = inSight();
    const held = element ? [element, ...landmarks(element)].map((each) => [each, measure(each)]) : [];
    change();
    for (const [each, measured] of held) {
      const now = isShown(each) ? each : standIn(each);
      if (now) return put(now, measured);
    }
  }

  /** Do what a browser may forbid, or what was kept by another edition of the site. */
  const attempt = (action) => {
    try {
      return action();
    } catch {
      return null;
    }
  };

  const folds = () => [...document.querySelectorAll("article details")];

  /** Name the part in sight so that it can be found in another language: by what stands around it. */
  function name(element) {
    const around = element.closest("[id]");
    const like = [...around.getElementsByTagName(element.localName)];
    return { id: around.id, tag: element.localName, at: like.indexOf(element), ...measure(element) };
  }

  /** Keep place, open folds and the end of the address for the page at a path, which is opened next.
   * Tell whether that was possible.
   */
  function keep(path) {
    const element = inSight();
    const kept = {
      path,
      hash: location.hash,
      place: element && name(element),
      open: folds().map((each) => each.open),
    };
    return attempt(() => { sessionStorage.setItem(KEPT, JSON.stringify(kept)); return true; });
  }

  /** Take what was kept for this page; for another it is worth nothing any more. */
  function take() {
    const kept = attempt(() => JSON.parse(sessionStorage.getItem(KEPT)));
    attempt(() => sessionStorage.removeItem(KEPT));
    return kept?.path === location.pathname && Array.isArray(kept.open) ? kept : null;
  }

  const kept = take();

  /** Bring folds and place back, once the page is there. The part may be hidden where the reader had
   * followed a link into another framework's panel: then it is opened as if it had been searched.
   */
  function restore() {
    if (!kept) return;
    // Not before, as the browser would go to it.
    if (kept.hash) addEventListener("load", () => history.replaceState(history.state, "", kept.hash));
    const here = folds();
    if (here.length === kept.open.length) here.forEach((each, at) => { each.open = kept.open[at]; });
    if (!kept.place) return;
    const around = document.getElementById(kept.place.id);
    const element = around?.getElementsByTagName(kept.place.tag)[kept.place.at] ?? around;
    element?.dispatchEvent(new Event("beforematch", { bubbles: true }));
    if (element && isShown(element)) put(element, kept.place);
  }

  window.polytabPlace = { awaits: Boolean(kept?.place), hold, inSight, keep, line, restore };
})();
