/* Opens the search dialog. What searches (hits.js, and the index) is loaded on first use only. */
(() => {
  "use strict";

  const dialog = document.getElementById("search");
  const input = dialog.querySelector("input");
  const buttons = document.querySelectorAll(".search-open");
  let asked = false;

  function open() {
    if (!dialog.open) dialog.showModal();
    input.focus();
    input.select();
    if (asked) return;
    asked = true;
    const script = document.createElement("script");
    script.src = dialog.dataset.runtime;
    script.addEventListener("error", () => {
      dialog.querySelector(".search-said").textContent = dialog.dataset.lost;
      script.remove();
      asked = false;
    });
    document.head.append(script);
  }

  const writes = (element) => element.isContentEditable || element.matches("input, select, textarea");

  for (const button of buttons) button.addEventListener("click", open);
  dialog.querySelector(".search-close").addEventListener("click", () => dialog.close());

  // The backdrop is the dialog itself; all that is in it is covered by its parts.
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog) dialog.close();
  });

  document.addEventListener("keydown", (event) => {
    const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const wanted = command
      ? event.key.toLowerCase() === "k"
      : event.key === "/" && !event.altKey && !dialog.open && !writes(event.target);
    if (!wanted) return;
    event.preventDefault();
    open();
  });

  if (/^(Mac|iP)/.test(navigator.platform)) {
    for (const key of document.querySelectorAll(".search-open kbd")) key.textContent = "⌘ K";
    for (const button of buttons) button.ariaKeyShortcuts &&= "Meta+K";
  }
})();
