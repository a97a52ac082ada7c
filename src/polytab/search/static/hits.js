/* Shows what the search dialog finds. Loaded when it is first opened; `finding.js` finds.
 *
 * Each section is a document of the index: its own words, then those of its tabs, with anchors
 * `at|address`, `above|titles` and `tab|id|framework|title` (see polytab/search/index.py).
 */
(() => {
  "use strict";

  const SHOWN = 8; // hits at first, and with each "more"
  const BEFORE = { spaced: 6, unspaced: 12 }; // words of an excerpt before what was found
  const LONG = { spaced: 26, unspaced: 60 }; // words of an excerpt
  const CALM = 150; // milliseconds without a key before a search
  const NEAR = 0.8; // of a word: with less in common, it is another word of the same root

  const dialog = document.getElementById("search");
  const input = dialog.querySelector("input");
  const box = dialog.querySelector(".search-found");
  const said = dialog.querySelector(".search-said");
  const near = dialog.querySelector(".search-near");
  const list = dialog.querySelector(".search-hits");
  const more = dialog.querySelector(".search-more");
  const words = dialog.dataset;
  const home = new URL("..", document.currentScript.src); // of this language

  let index = null; // a promise of what finds
  let finding = null; // the module that finds, once it is there
  let tries = 0;
  let latest = 0; // the number of the last search; what an earlier one finds comes too late
  let asked = ""; // the query of the last search
  let searching = Promise.resolve();
  let timer = null;

  // Words

  const bare = (word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");

  /** The words of a query, as they compare. */
  const wordsOf = (query) => finding.cut(finding.fold(query)).map(bare).filter(Boolean);

  const shorten = (word) => word.slice(0, Math.ceil(word.length * NEAR));

  const hasAll = (text, query) =>
    wordsOf(query).every((word) => finding.fold(text).includes(shorten(word)));

  // The part of a section that is shown

  /** Cut a section into its own words and those of its tabs, where something was found in them. */
  function partsOf({ text: all, places, anchors }) {
    const ends = anchors.filter(({ id }) => id.startsWith("tab|") || id === "names");
    return [{ id: "", location: 0 }, ...ends].flatMap(({ id, location }, place) => {
      const end = ends[place]?.location ?? all.length;
      if (id === "names") return []; // nothing of the page
      const found = [...places].filter(([at]) => at >= location && at < end);
      if (!found.length) return [];
      const [, anchor, name, title] = id.split("|").map(decodeURIComponent);
      const scores = new Map(found.map(([at, score]) => [at - location, score]));
      return [{ anchor, name, title, text: all.slice(location, end), scores }];
    });
  }

  /** The framework that the reader's tabs show. */
  function chosen() {
    try {
      const radio = document.querySelector(".chooser input:checked");
      return radio?.value ?? localStorage.getItem("polytab:framework");
    } catch {
      return null;
    }
  }

  /** Choose the part to show: what has all words, then the section's own, then the reader's tab. */
  function bestOf(parts, query) {
    const mine = chosen();
    const worth = (part) =>
      4 * hasAll(finding.together(part.text), query) + 2 * !part.name + (part.name === mine);
    const most = (part) => Math.max(...part.scores.values());
    return parts.sort((a, b) => worth(b) - worth(a) || most(b) - most(a))[0];
  }

  /** Write text with these pieces of it marked. */
  function mark(element, text, pieces) {
    const folded = finding.fold(text);
    let end = 0;
    while (pieces.length) {
      const next = pieces
        .map((piece) => ({ at: folded.indexOf(piece, end), length: piece.length }))
        .filter(({ at }) => at >= 0)
        .sort((a, b) => a.at - b.at || b.length - a.length)[0];
      if (!next) break;
      const marked = document.createElement("mark");
      marked.textContent = text.slice(next.at, next.at + next.length);
      element.append(text.slice(end, next.at), marked);
      end = next.at + next.length;
    }
    element.append(text.slice(end));
    return element;
  }

  /** Count the words that a part begins with and that are its title, which is shown anyway. */
  function titleIn({ text, name }, title) {
    if (name) return 0;
    const letters = (word) => (word.match(/[\p{L}\p{N}]/gu) ?? []).length;
    let left = letters(title);
    let count = 0;
    while (count < text.length && (left > 0 || !letters(text[count]))) {
      left -= letters(text[count]);
      count += 1;
    }
    return count;
  }

  /** Join what was found at places that follow each other: words that are written together. */
  function runs(text, places) {
    const found = [];
    places.forEach((at, number) => {
      const follows = number > 0 && places[number - 1] === at - 1;
      if (follows) found[found.length - 1] += text[at + 1];
      else found.push(text[at] + text[at + 1]);
    });
    return found;
  }

  /** Cut out of a part the words around the best place, with what was found marked. */
  function excerpt(part, title, query) {
    const { text, scores } = part;
    const isSpaced = text.filter(finding.isUnspaced).length < text.length / 2;
    const kind = isSpaced ? "spaced" : "unspaced";
    const first = titleIn(part, title);
    const literal = (at) => wordsOf(query).some((word) => finding.fold(text[at]).includes(word));
    const worth = [...scores].map(([at, score]) => [at, literal(at) ? 10 * score : score]);
    const sum = (from) =>
      worth.reduce((all, [at, score]) => all + (at >= from && at < from + LONG[kind] ? score : 0), 0);
    const places = [...scores.keys()].filter((at) => at >= first);
    const place = [...places].sort((a, b) => sum(b) - sum(a) || a - b)[0] ?? first;
    const start = Math.max(first, place - BEFORE[kind]);
    const end = Math.min(text.length, start + LONG[kind]);
    const shown = finding.together(text.slice(start, end)).replace(/ (?=[,.;:!?)\]])/g, "");
    const inside = places.filter((at) => at >= start && at < end).sort((a, b) => a - b);
    const paired = runs(text, inside.filter((at) => finding.isUnspaced(text[at]) && at + 1 < end));
    const whole = wordsOf(query).filter((word) => finding.fold(shown).includes(word));
    const roots = inside.map((at) => bare(finding.fold(text[at])));
    const element = line("search-excerpt", start > first ? "… " : "");
    const pieces = [...whole, ...paired];
    mark(element, shown, pieces.length ? pieces : roots.filter(Boolean));
    if (end < text.length) element.append(" …");
    return element;
  }

  // The list

  function line(name, text = "") {
    const element = document.createElement("span");
    element.className = name;
    element.append(text);
    return element;
  }

  /** Read what the index says of a section beside its text. */
  const note = ({ anchors }, name) =>
    decodeURIComponent(anchors.find(({ id }) => id.startsWith(`${name}|`)).id.split("|")[1]);

  /** Write one hit: a link to a section, or into one of its tabs. */
  function item(section, query) {
    const part = bestOf(partsOf(section), query);
    const address = new URL(note(section, "at"), home);
    address.search = location.search; // the reader's choice, unless the hit needs another
    if (part?.name) {
      address.searchParams.set("tab", part.name);
      address.hash = part.anchor;
    }
    const link = document.createElement("a");
    link.href = address;
    const above = note(section, "above");
    if (above) link.append(line("search-above", above));
    link.append(mark(line("search-title"), section.title, wordsOf(query)));
    if (part?.name) {
      link.append(" ", line("search-tab", words.tab.replace("{framework}", part.title)));
    }
    if (part) link.append(excerpt(part, section.title, query));
    const entry = document.createElement("li");
    entry.append(link);
    return entry;
  }

  /** Say sentences, each with its value filled in. */
  function say(...sentences) {
    const filled = sentences.map(([text, values]) =>
      text.replace(/\{(\w+)\}/g, (_, name) => values[name]),
    );
    said.textContent = filled.join(" ");
  }

  function empty() {
    list.replaceChildren();
    near.hidden = true;
    more.hidden = true;
  }

  function load() {
    // A module that did not come is not asked for again under the same address.
    const again = tries ? `again=${tries}` : "";
    const address = new URL(words.finder, document.baseURI);
    if (again) address.search += `&${again}`;
    index ??= import(address).then((module) => {
      finding = module;
      return module.open(new URL("pagefind/", home), again && `?${again}`);
    });
    return index;
  }

  /** Begin anew after a failure: Pagefind keeps what did not come, too. */
  function forget() {
    index = null;
    tries += 1;
    return null;
  }

  /** Offer the words that are nearest to what nobody knows, and the chapters. */
  function offer(nearest) {
    const button = (word) => {
      const element = document.createElement("button");
      element.type = "button";
      element.textContent = word;
      element.addEventListener("click", () => {
        input.value = word;
        input.focus();
        follow();
      });
      return element;
    };
    const chapters = document.createElement("a");
    chapters.href = new URL("index.html", home);
    chapters.textContent = words.chapters;
    const label = nearest.length ? [line("search-near-label", words.near)] : [];
    near.replaceChildren(...label, ...nearest.map(button), chapters);
    near.hidden = false;
  }

  /** Ask the index, and load what is shown first. */
  async function ask(query) {
    const answer = await (await load())(query);
    const count = answer.sections.length;
    return { ...answer, count, first: await loadFrom(answer.sections) };
  }

  const loadFrom = (rest) => Promise.all(rest.splice(0, SHOWN).map((each) => each.load()));

  /** Search, and show what was found unless something else was asked meanwhile. */
  async function search(query) {
    latest += 1;
    const number = latest;
    asked = query;
    const answer = query ? await ask(query).catch(forget) : {};
    if (number !== latest) return;
    empty();
    box.scrollTop = 0;
    if (!query) say();
    else if (!answer) {
      asked = ""; // so that the same may be asked again
      say([words.lost]);
    } else if (!answer.count) {
      say([words.none, { query }]);
      offer(answer.near);
    } else tell(query, answer, number);
    if (number === latest) box.ariaBusy = "false";
  }

  /** Say how much was found, for what, and what was not; then show it. */
  function tell(query, { meant, lost, count, first, sections }, number) {
    const written = count.toLocaleString(document.documentElement.lang);
    const found = meant === query ? words.count : words.meant;
    const missing = [words.missing, { words: lost.map((each) => `“${each}”`).join(", ") }];
    say([found, { number: written, query: meant }], ...(lost.length ? [missing] : []));
    show(first, sections, meant, number);
  }

  /** Show sections, and a button for the rest. */
  function show(loaded, rest, query, number) {
    list.append(...loaded.map((section) => item(section, query)));
    more.hidden = !rest.length;
    more.onclick = async () => {
      const place = list.children.length;
      const next = await loadFrom(rest);
      if (number !== latest) return;
      show(next, rest, query, number);
      list.children[place]?.firstChild.focus();
    };
  }

  // Keys

  function follow() {
    clearTimeout(timer);
    const query = input.value.trim().normalize("NFC");
    if (query !== asked) searching = search(query);
    else box.ariaBusy = "false";
    return searching;
  }

  function wait({ isComposing }) {
    clearTimeout(timer);
    box.ariaBusy = "true";
    if (!isComposing) timer = setTimeout(follow, CALM);
  }

  /** Move the focus through the field, the hits and the button for more. */
  function move(step) {
    const offers = near.hidden ? [] : near.querySelectorAll("button, a");
    const stops = [input, ...offers, ...list.querySelectorAll("a"), ...(more.hidden ? [] : [more])];
    const place = stops.indexOf(document.activeElement);
    stops[Math.min(Math.max(place + step, 0), stops.length - 1)].focus();
  }

  input.addEventListener("input", wait);
  input.addEventListener("compositionend", wait);

  dialog.addEventListener("keydown", (event) => {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      move(step);
    } else if (event.key === "Enter" && event.target === input) {
      event.preventDefault();
      follow().then(() => list.querySelector("a")?.click());
    } else if (event.target.matches("a") && /^[^\s]$/u.test(event.key)) {
      input.focus(); // and the letter is written there
    }
  });

  // A hit on this page is gone to without leaving it.
  list.addEventListener("click", (event) => {
    const here = !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (here && event.target.closest("a")) dialog.close();
  });

  const why = location.protocol === "file:" ? words.disk : words.live;
  if (why) {
    input.disabled = true;
    say([why]);
    dialog.querySelector(".search-close").focus();
  } else {
    load().catch(forget);
    follow();
  }
})();
