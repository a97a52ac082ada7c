/* Links that take along what the reader has chosen: to another language, and to a report. */
(() => {
  "use strict";

  /** Change a link at the moment it is followed, in this window or another. */
  function onFollow(link, change) {
    link.addEventListener("click", change);
    link.addEventListener("auxclick", change);
  }

  // The framework and the place on the page go along to another language.
  for (const link of document.querySelectorAll(".languages a")) {
    onFollow(link, () => {
      link.search = location.search;
      link.hash = location.hash;
    });
  }

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
