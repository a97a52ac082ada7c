/* A button beside each block of code that copies it. */
(() => {
  "use strict";

  const article = document.querySelector("article[data-copy]");
  if (!article || !navigator.clipboard) return;

  const ICON =
    '<svg viewBox="0 0 24 24" aria-hidden="true">' +
    '<g class="before"><rect x="9" y="9" width="11" height="11" rx="2"/>' +
    '<path d="M5 15H4V5a1 1 0 0 1 1-1h10v1"/></g>' +
    '<path class="after" d="m5 12.500 4.500 4.500L19 7.500"/></svg>';

  const status = document.createElement("p");
  status.className = "visually-hidden";
  status.setAttribute("role", "status");
  article.append(status);

  /** Return the code of a block: of a session, what was typed, without prompts and answers. */
  function codeOf(pre) {
    if (!pre.querySelector(".gp")) return pre.textContent.replace(/\n$/, "");
    const lines = [""];
    const typed = [false];
    for (const node of pre.childNodes) {
      if (node.nodeType === Node.ELEMENT_NODE && node.matches(".gp")) {
        typed[lines.length - 1] = true;
        continue;
      }
      const [first, ...others] = node.textContent.split("\n");
      lines[lines.length - 1] += first;
      lines.push(...others);
    }
    return lines.filter((_, at) => typed[at]).join("\n");
  }

  /** Say something to those who listen. */
  function say(words) {
    status.textContent = "";
    requestAnimationFrame(() => { status.textContent = words; });
  }

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
})();
