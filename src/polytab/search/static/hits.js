/* What the search dialog finds. Loaded when it is first opened; asks Pagefind for sections.
 *
 * Each section is a document of the index: its own words, then those of its tabs, with anchors
 * `at|address`, `above|titles` and `tab|id|framework|title` (see polytab/indexing.py).
 */
(() => {
  "use strict";

  const SHOWN = 8; // hits at first, and with each "more"
  const READ = 24; // hits that are read before the first are shown
  const BEFORE = 6; // words of an excerpt before what was found
  const LONG = { spaced: 26, chinese: 44 }; // words of an excerpt
  const CALM = 150; // milliseconds without a key before a search
  const AKIN = 0.4; // of a word: with less in common, Pagefind has only shortened what was asked
  const NEAR = 0.8; // of a word: with less in common, it is another word of the same root
  const INTRODUCED = 4; // the weight of a term in emphasis (polytab/indexing.py), or more
  const CUT = "\u200b"; // stands between the words of Chinese, as Pagefind has cut them

  const dialog = document.getElementById("search");
  const input = dialog.querySelector("input");
  const said = dialog.querySelector(".search-said");
  const list = dialog.querySelector(".search-hits");
  const more = dialog.querySelector(".search-more");
  const words = dialog.dataset;
  const home = new URL("..", document.currentScript.src); // of this language

  let index = null; // a promise of Pagefind
  let tries = 0;
  let latest = 0; // the number of the last search; what an earlier one finds comes too late
  let asked = ""; // the query of the last search
  let searching = Promise.resolve();
  let timer = null;

  // Words and their likeness

  /** Write letters as they compare: small and without accents, one for one. */
  const fold = (text) =>
    text.toLowerCase().replace(/[^\x00-\x7f]/gu, (letter) => letter.normalize("NFD")[0]);
  const bare = (word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  const wordsOf = (query) => fold(query).split(/\s+/).map(bare).filter(Boolean);

  /** Match words that begin with these letters. */
  function beginning(letters) {
    const written = letters.replace(/[^\p{L}\p{N}]/gu, ".");
    return new RegExp(`(?<![\\p{L}\\p{N}])${[...written].join(`${CUT}?`)}[\\p{L}\\p{N}]*`, "gu");
  }

  const shorten = (word, share) => word.slice(0, Math.ceil(word.length * share));

  /** Whether text has a word, or one that begins with this share of its letters. */
  function has(text, word, share = 1) {
    const start = shorten(word, share);
    // Chinese has no spaces; where there are some, they come from markup.
    if (/\p{Script=Han}/u.test(word)) return text.replace(/\s/g, "").includes(start);
    return text.includes(word) || beginning(start).test(text);
  }

  const hasAll = (text, query, share) =>
    wordsOf(query).every((word) => has(fold(text), word, share));

  /** Leave out of a text the words that were asked for; where it lacks one, nothing is returned. */
  function without(text, query, share = 1) {
    const patterns = wordsOf(query).map((word) => beginning(shorten(word, share)));
    const folded = fold(text);
    if (patterns.some((each) => folded.search(each) < 0)) return null;
    return patterns.reduce((rest, each) => rest.replace(each, ""), folded);
  }

  /** Count the chapters before that of a section; the home page, which only names them, is last. */
  function chapter(section) {
    const { pathname } = new URL(note(section, "at"), home);
    const all = [...document.querySelectorAll(".sidebar-tree a")].map((link) => link.pathname);
    return all.includes(pathname) ? all.indexOf(pathname) : all.length;
  }

  /** Say how near a section is to what was asked: that is its title (0), or stands in its title as
   * a word (0.5 for a chapter, else 1), is introduced there (2 to 3: a later chapter repeats what
   * an earlier one has introduced), stands in its text (3), or only shares its root (4).
   */
  function distance(section, query) {
    const { text, join } = wordsIn(section);
    const first = titleIn({ text }, section.meta.title);
    const rest = without(text.slice(0, first).join(join), query);
    if (rest !== null && !/[\p{L}\p{N}]/u.test(rest)) return 0;
    // One Chinese character in a title is as a rule a part of a longer word.
    if (rest !== null && !/^\p{Script=Han}$/u.test(query)) {
      return new URL(note(section, "at"), home).hash ? 1 : 0.5;
    }
    const terms = section.weighted_locations
      .filter(({ weight, location }) => weight >= INTRODUCED && location >= first)
      .map(({ location }) => text[location]);
    if (without(terms.join(join), query, NEAR) !== null) return 3 - 1 / (2 + chapter(section));
    return hasAll(section.content, query, NEAR) ? 3 : 4;
  }

  // The part of a section that is shown

  /** Cut a section into words as Pagefind has. */
  function wordsIn(section) {
    const raw = section.raw_content.replace(/&lt;/g, "<").replace(/&gt;/g, ">");
    const spaced = !raw.includes(CUT);
    return { text: raw.split(spaced ? /\s+/ : CUT), join: spaced ? " " : CUT, spaced };
  }

  /** Cut a section into its own words and those of its tabs, where something was found in them. */
  function partsOf(section) {
    const { text: all, spaced } = wordsIn(section);
    const tabs = section.anchors.filter(({ id }) => id.startsWith("tab|"));
    return [{ id: "", location: 0 }, ...tabs].flatMap(({ id, location }, place) => {
      const end = tabs[place]?.location ?? all.length;
      const found = section.weighted_locations.filter(
        (each) => each.location >= location && each.location < end,
      );
      if (!found.length) return [];
      const [, anchor, name, title] = id.split("|").map(decodeURIComponent);
      const text = all.slice(location, end);
      const scores = new Map(found.map((each) => [each.location - location, each.balanced_score]));
      return [{ anchor, name, title, text, scores, spaced }];
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
      4 * hasAll(part.text.join(part.spaced ? " " : ""), query, NEAR) +
      2 * !part.name +
      (part.name === mine);
    const most = (part) => Math.max(...part.scores.values());
    return parts.sort((a, b) => worth(b) - worth(a) || most(b) - most(a))[0];
  }

  /** Write text with these pieces of it marked. */
  function mark(element, text, pieces) {
    const folded = fold(text);
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

  /** Cut out of a part the words around the best place, with what was found marked. */
  function excerpt(part, title, query) {
    const { text, scores, spaced } = part;
    const long = spaced ? LONG.spaced : LONG.chinese;
    const first = titleIn(part, title);
    const literal = (at) => wordsOf(query).some((word) => fold(text[at]).includes(word));
    const worth = [...scores].map(([at, score]) => [at, literal(at) ? 10 * score : score]);
    const sum = (from) =>
      worth.reduce((all, [at, score]) => all + (at >= from && at < from + long ? score : 0), 0);
    const places = [...scores.keys()].filter((at) => at >= first);
    const place = places.sort((a, b) => sum(b) - sum(a) || a - b)[0] ?? first;
    const start = Math.max(first, place - BEFORE);
    const end = Math.min(text.length, start + long);
    const shown = text
      .slice(start, end)
      .join(spaced ? " " : "")
      .replace(/ (?=[,.;:!?)\]，。；：！？、（）])/g, "");
    const whole = wordsOf(query).filter((word) => fold(shown).includes(word));
    const roots = places.filter((at) => at >= start && at < end).map((at) => bare(fold(text[at])));
    const element = line("search-excerpt", start > first ? "… " : "");
    mark(element, shown, whole.length ? whole : roots.filter(Boolean));
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
    link.append(mark(line("search-title"), section.meta.title, wordsOf(query)));
    if (part?.name) {
      link.append(" ", line("search-tab", words.tab.replace("{framework}", part.title)));
    }
    if (part) link.append(excerpt(part, section.meta.title, query));
    const entry = document.createElement("li");
    entry.append(link);
    return entry;
  }

  function say(sentence = "", value = "") {
    said.textContent = sentence.replace(/\{\w+\}/, () => value);
  }

  function empty() {
    list.replaceChildren();
    more.hidden = true;
  }

  function load() {
    // A module that did not come is not asked for again under the same address.
    const address = new URL(`pagefind/pagefind.js${tries ? `?again=${tries}` : ""}`, home);
    index ??= import(address).then(async (pagefind) => {
      await pagefind.init();
      return pagefind;
    });
    return index;
  }

  /** Begin anew after a failure: Pagefind keeps what did not come, too. */
  function forget() {
    index = null;
    tries += 1;
    return null;
  }

  /** Find sections: the nearest first, then as Pagefind ranks them; the tail is not read yet. */
  async function find(query) {
    const { results } = await (await load()).search(query);
    const read = await Promise.all(results.slice(0, READ).map((each) => each.data()));
    const akin = read.filter(({ content }) => hasAll(content, query, AKIN));
    const ranks = new Map(akin.map((each) => [each, distance(each, query)]));
    akin.sort((a, b) => ranks.get(a) - ranks.get(b));
    return akin.length ? [...akin, ...results.slice(READ)] : [];
  }

  /** Search, and show what was found unless something else was asked meanwhile. */
  async function search(query) {
    latest += 1;
    const number = latest;
    asked = query;
    const wanted = wordsOf(query).length > 0;
    const found = wanted ? await find(query).catch(forget) : [];
    if (number !== latest) return;
    empty();
    dialog.querySelector(".search-found").scrollTop = 0;
    if (!wanted) say();
    else if (!found) {
      asked = ""; // so that the same may be asked again
      say(words.lost);
    } else if (!found.length) say(words.none, query);
    else {
      say(words.count, found.length.toLocaleString(document.documentElement.lang));
      await show(found, query, number);
    }
  }

  async function show(rest, query, number) {
    const next = rest.splice(0, SHOWN).map((each) => (each.data ? each.data() : each));
    const sections = await Promise.all(next);
    if (number !== latest) return;
    list.append(...sections.map((section) => item(section, query)));
    more.hidden = !rest.length;
    more.onclick = async () => {
      const place = list.children.length;
      await show(rest, query, number);
      list.children[place]?.firstChild.focus();
    };
  }

  // Keys

  function follow() {
    clearTimeout(timer);
    const query = input.value.trim().normalize("NFC");
    if (query !== asked) searching = search(query);
    return searching;
  }

  function wait({ isComposing }) {
    clearTimeout(timer);
    if (!isComposing) timer = setTimeout(follow, CALM);
  }

  /** Move the focus through the field, the hits and the button for more. */
  function move(step) {
    const stops = [input, ...list.querySelectorAll("a"), ...(more.hidden ? [] : [more])];
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
    say(why);
    dialog.querySelector(".search-close").focus();
  } else {
    load().catch(forget);
    follow();
  }
})();
