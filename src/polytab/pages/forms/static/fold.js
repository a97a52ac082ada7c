/* Folds stand open in the page, so that nothing is lost without script. This script stands in the
 * head and blocks, so that each is closed before it is painted. A link opens what it leads into;
 * paper has nothing to unfold.
 */
(() => {
  "use strict";

  const seen = new WeakSet();
  const folds = () => [...document.querySelectorAll("details.fold")];

  /** Close all folds that have been parsed so far, each once. */
  function close() {
    for (const fold of folds().filter((each) => !seen.has(each))) {
      seen.add(fold);
      fold.open = false;
    }
  }

  /** Open the folds around what the address leads to. */
  function openTarget() {
    let id;
    try {
      id = decodeURIComponent(location.hash.slice(1));
    } catch {
      return; // no address of ours
    }
    const target = id && document.getElementById(id);
    if (!target) return;
    const around = folds().filter((each) => each.contains(target) && !each.open);
    for (const fold of around) fold.open = true;
    if (around.length) target.scrollIntoView();
  }

  const observer = new MutationObserver(close);
  observer.observe(document.documentElement, { childList: true, subtree: true });
  document.addEventListener("DOMContentLoaded", () => {
    observer.disconnect();
    close();
    openTarget();
  });
  addEventListener("hashchange", openTarget);

  // A second click on a link to a fold that was closed meanwhile changes no address.
  document.addEventListener("click", ({ target }) => {
    const link = target.closest("a[href*='#']");
    if (link && link.href === location.href) openTarget();
  });

  let printed = [];
  addEventListener("beforeprint", () => {
    printed = folds().filter((each) => !each.open);
    for (const fold of printed) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of printed) fold.open = false;
  });
})();
