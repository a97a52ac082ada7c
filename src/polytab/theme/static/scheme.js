/* The reader's colour scheme, before anything is painted: light, dark, or what the system says. */
(() => {
  "use strict";
  try {
    const kept = localStorage.getItem("theme");
    if (["light", "dark"].includes(kept)) document.documentElement.dataset.theme = kept;
  } catch { /* storage is closed: the system says */ }
})();
