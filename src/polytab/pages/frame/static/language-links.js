/* Links that take along what the reader has chosen: to another language, and to a report. */
(() => {
  "use strict";

  const place = window.polytabPlace; // none where the script in the head has not arrived

  /** Change a link at the moment it is followed, in this window or another. */
  function onFollow(link, change) {
    link.addEventListener("click", change);
    link.addEventListener("auxclick", change);
  }

  // The framework, the place on the page and the open folds go along to another language; to a
  // window of its own, or where nothing can be kept, the name of the section that is in sight.
  for (const link of document.querySelectorAll(".languages a")) {
    onFollow(link, (event) => {
      const apart = event.button || event.ctrlKey || event.metaKey || event.shiftKey;
      const section = place?.inSight()?.closest("article section section[id]");
      link.search = location.search;
      link.hash = "";
      if (apart || !place?.keep(link.pathname)) link.hash = section?.id ?? location.hash;
    });
  }

  // After the scripts of tabs and folds, which have asked for the same event before.
  if (place) document.addEventListener("DOMContentLoaded", place.restore);

  // A report names the framework that the reader sees.
  const report = document.querySelector("a.report");
  if (!report) return;
  const address = new URL(report.href);
  const body = address.searchParams.get("body");
  onFollow(report, () => {
    const chosen = document.querySelector(".chooser input:checked + span");
    if (!chosen) return;
    address.searchParams.set("body", `${body}Framework: ${chosen.textContent}\n`);
    report.href = address;
  });
})();
