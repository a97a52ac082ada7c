/* Copy buttons, the drawers of a narrow screen by keys, and what a report says of the reader. */
(() => {
  "use strict";

  const article = document.querySelector("article[data-copy]");

  const ICON =
    '<svg viewBox="0 0 24 24" aria-hidden="true">' +
    '<g class="before"><rect x="9" y="9" width="11" height="11" rx="2"/>' +
    '<path d="M5 15H4V5a1 1 0 0 1 1-1h10v1"/></g>' +
    '<path class="after" d="m5 12.500 4.500 4.500L19 7.500"/></svg>';

  /** Return the code of a block: of a session, what was typed, without prompts and answers. */
  function codeOf(pre) {
    if (!pre.querySelector(".gp")) return pre.textContent.replace(/\n$/, "");
    const lines = [{ typed: false, text: "" }];
    for (const node of pre.childNodes) {
      if (node.nodeType === Node.ELEMENT_NODE && node.matches(".gp")) {
        lines.at(-1).typed = true;
        continue;
      }
      const [first, ...others] = node.textContent.split("\n");
      lines.at(-1).text += first;
      lines.push(...others.map((text) => ({ typed: false, text })));
    }
    return lines.filter((line) => line.typed).map((line) => line.text).join("\n");
  }

  /** Say something to those who listen. */
  function say(words) {
    status.textContent = "";
    requestAnimationFrame(() => { status.textContent = words; });
  }

  const status = document.createElement("p");
  status.className = "visually-hidden";
  status.setAttribute("role", "status");

  async function copy(button, pre) {
    try {
      await navigator.clipboard.writeText(codeOf(pre));
    } catch {
      getSelection().selectAllChildren(pre);
      say(article.dataset.refused);
      return;
    }
    button.classList.add("done");
    say(article.dataset.copied);
    setTimeout(() => button.classList.remove("done"), 2000);
  }

  if (article && navigator.clipboard) {
    article.append(status);
    const model = document.createElement("button");
    model.type = "button";
    model.className = "copy";
    model.title = article.dataset.copy;
    model.setAttribute("aria-label", article.dataset.copy);
    model.innerHTML = ICON;
    for (const pre of article.querySelectorAll(".highlight > pre")) {
      if (pre.closest(".snippet-output")) continue;
      const button = model.cloneNode(true);
      button.addEventListener("click", () => copy(button, pre));
      pre.after(button);
    }
  }

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

  // A drawer's sign becomes a button; without script the box that it labels can be reached.
  for (const [name, drawer] of [["__navigation", "sidebar-drawer"], ["__toc", "toc-drawer"]]) {
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
    box.addEventListener("change", tell);
    box.classList.add("replaced");
    tell();
  }

  // A report names the framework that the reader sees.
  const report = document.querySelector("a.report");
  const address = report && new URL(report.href);
  const body = address?.searchParams.get("body");
  const name = () => {
    const chosen = document.querySelector(".chooser input:checked + span");
    if (!chosen) return;
    address.searchParams.set("body", `${body}Framework: ${chosen.textContent}\n`);
    report.href = address;
  };
  report?.addEventListener("click", name);
  report?.addEventListener("auxclick", name);
})();
