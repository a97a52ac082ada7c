/* Finds the sections that answer a query: understands its words, asks Pagefind for each of them,
 * and adds up what it says. `hits.js` shows what was found.
 *
 * A reader types sentences, and Pagefind wants every word of them; so each word is asked for alone.
 * Its scores are of the kind that is added (BM25), with rare words and titles counting most. What
 * has much less of the query than the best section is left out.
 */

const ENOUGH = 0.3; // of what the best section has of the query, by the rarity of its words
const POOR = 0.02; // of the best section's rank
const KIN = 0.3; // what a word with another ending is worth
const TYPO = 5; // letters of a word in which one is forgiven
const NAMES = 12; // longer names in which a name is looked for
const NEAR = 3; // words that are offered where nothing was found
const STEM = 3; // letters of the shortest stem that may have other endings

// Words, as Pagefind compares them

/** Write letters as they compare: small and without accents, one for one. */
export const fold = (text) =>
  text.toLowerCase().replace(/[^\x00-\x7f]/gu, (letter) => letter.normalize("NFD")[0]);

const join = (text) => fold(text).replace(/[^\p{L}\p{N}_]/gu, "");

// Chinese and Japanese, each character with the next: see polytab/search/pairs.py

const UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3134f}";
const SPELT = "ა";
const chunks = new RegExp(`[${UNSPACED}]+|[^\\s${UNSPACED}]+`, "gu");
const spelt = new RegExp(`${SPELT}([0-9a-f]{5})[0-9a-z]+`, "g");
const unspaced = new RegExp(`[${UNSPACED}]`, "u");
const touching = new RegExp(`[${UNSPACED}\u3000-\u303f\uff00-\uffef]`, "u");

const spell = (letters) =>
  SPELT + [...letters].map((each) => each.codePointAt().toString(16).padStart(5, "0")).join("");

/** Write words of the index as they stand in the text. */
const read = (text) => text.replace(spelt, (_, code) => String.fromCodePoint(parseInt(code, 16)));

/** Cut a query into words, and into stretches of what has no spaces. */
export const cut = (query) => query.match(chunks) ?? [];

/** Whether a word is one of those that stand without spaces. */
export const isUnspaced = (word) => unspaced.test(word);

/** Join words of the index as they stand in the text: around unspaced ones there are no spaces. */
export const together = (words) =>
  words.reduce((text, word) => {
    const touches = !text || touching.test(`${text.at(-1)}${word[0]}`);
    return `${text}${touches ? "" : " "}${word}`;
  }, "");

function pairs(run) {
  const letters = [...run];
  if (letters.length === 1) return [spell(run)];
  return letters.slice(1).map((letter, place) => spell(letters[place] + letter));
}

// Known words

/** Count the letters that make one word of another: added, left out, changed or exchanged. */
function distance(one, other, limit) {
  if (Math.abs(one.length - other.length) > limit) return Infinity;
  let before = [];
  let last = [...Array(other.length + 1).keys()];
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      next[column] = Math.min(last[column] + 1, next[column - 1] + 1, last[column - 1] + !same);
      const turned = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (turned) next[column] = Math.min(next[column], before[column - 2] + 1);
    }
    if (Math.min(...next) > limit) return Infinity;
    [before, last] = [last, next];
  }
  return last[other.length];
}

/** The words of an index, the most frequent first; a `|` stands where an ending begins. */
class Words {
  constructor({ known, empty }) {
    this.list = known.map((each) => each.replace("|", ""));
    this.empty = new Set(empty);
    this.endings = new Set();
    this.kin = new Map(); // the words of each stem
    for (const each of known) {
      const [stem, ending = ""] = each.split("|");
      this.endings.add(ending);
      this.kin.set(stem, [...(this.kin.get(stem) ?? []), stem + ending]);
    }
  }

  /** Return the known words that differ in their endings only. */
  akin(word) {
    for (let end = word.length; end >= STEM; end -= 1) {
      const kin = this.kin.get(word.slice(0, end));
      if (kin && this.endings.has(word.slice(end))) return kin;
    }
    return [];
  }

  /** Whether a word is known, as it is, as a beginning or with another ending. */
  has(word) {
    return this.list.some((each) => each.startsWith(word)) || this.akin(word).length > 0;
  }

  /** Return the names that hold this one, not as their beginning: those Pagefind finds by itself. */
  holding(name) {
    return this.list.filter((each) => each.indexOf(name) > 0).slice(0, NAMES);
  }

  /** Return the known words that are this near, the nearest first. */
  near(word, limit) {
    return this.list
      .map((each) => [each, distance(word, each, limit)])
      .filter(([, far]) => far <= limit)
      .sort(([, one], [, other]) => one - other)
      .map(([each]) => each);
  }

  /** Return the known words to offer in the place of one that nobody knows. */
  offers(word) {
    const limit = Math.floor(word.length / 3);
    return this.near(word, limit).filter((each) => each.length >= TYPO && !/\d/.test(each));
  }

  /** Return what to ask for a known word: itself, and at less worth its kin, or longer names. */
  variants(word, isName) {
    const others = isName ? this.holding(word) : this.akin(word).filter((each) => each !== word);
    const start = this.list.some((each) => each.startsWith(word)) ? [[word, 1]] : [];
    return [...start, ...others.map((each) => [each, isName ? 1 : KIN])];
  }
}

// A query

/** Cut a name into its parts: `block_until_ready` and `DataLoader` have more than one. */
function partsOf(name) {
  const parts = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{L}+/gu) ?? [];
  return parts.length > 1 ? parts.filter((part) => part.length > 1) : parts;
}

/** Read a part of a name: a known word as it is, another as what it was meant to be. */
function readPart(part, words) {
  const word = join(part);
  if (words.has(word)) return { meant: part, terms: [words.variants(word)] };
  const [like] = word.length >= TYPO ? words.near(word, 1) : [];
  if (like) return { meant: like, terms: [words.variants(like)] };
  return { meant: part, terms: [], lost: part };
}

/** Read a piece of a query: what it was meant to be, what to ask for, and what nobody knows.
 *
 * A term is a list of words, each with its worth, of which a section may have any.
 */
function readPiece(piece, words) {
  if (unspaced.test(piece)) {
    return { meant: piece, terms: pairs(piece).map((each) => [[each, 1]]), lost: [] };
  }
  const parts = partsOf(piece);
  if (!parts.length) return { meant: piece, terms: [], lost: [] };
  const isKnown = (name) => words.has(name) || (parts.length > 1 && words.holding(name).length > 0);
  const asName = (meant) => ({ meant, terms: [words.variants(join(meant), parts.length > 1)], lost: [] });
  if (isKnown(join(piece))) return asName(piece);
  const now = parts.map((part) => readPart(part, words));
  const meant = parts.reduce((text, part, place) => text.replace(part, now[place].meant), piece);
  if (meant !== piece && isKnown(join(meant))) return asName(meant);
  const lost = now.flatMap((each) => each.lost ?? []);
  return { meant, terms: now.flatMap(({ terms }) => terms), lost };
}

/** Read a query: what was meant, the terms to ask for, and the words that nobody knows. */
function understand(query, words) {
  const all = cut(query);
  const full = all.filter((piece) => !words.empty.has(join(piece)));
  const pieces = full.length ? full : all;
  const understood = pieces.map((piece) => readPiece(piece, words));
  return {
    meant: understood.reduce((text, { meant }, place) => text.replace(pieces[place], meant), query),
    terms: understood.flatMap(({ terms }) => terms),
    lost: understood.flatMap(({ lost }) => lost),
  };
}

// Sections

/** One section that was found, with all that was found in it. */
class Section {
  results = [];
  gain = 0;
  share = 0;

  add(result, gain, share) {
    this.results.push(result);
    this.gain += gain;
    this.share += share;
  }

  get rank() {
    return this.gain * this.share;
  }

  /** Load its text, the places of what was found, and the notes of the index. */
  async load() {
    const places = new Map();
    let loaded = null;
    for (const result of this.results) {
      loaded = await result.data();
      // Pagefind hands out one object for a section, whatever was asked.
      for (const { location, balanced_score: score } of loaded.weighted_locations) {
        places.set(location, score + (places.get(location) ?? 0));
      }
    }
    const text = loaded.raw_content.replace(/&lt;/g, "<").replace(/&gt;/g, ">").split(/\s+/);
    const title = together((loaded.meta.title ?? "").split(/\s+/).map(read)).trim();
    return { text: text.map(read), places, title, anchors: loaded.anchors };
  }
}

/** Tell how rare words are that so many sections have, as BM25 does; rare ones tell more. */
const rarity = (found, all) => Math.log(1 + (all - found + 0.5) / (found + 0.5));

/** Search for a term: a section has the best of what was found there for any of its words. */
async function ask(pagefind, term, all) {
  const best = new Map();
  const answers = await Promise.all(term.map(([word]) => pagefind.search(word)));
  answers.forEach(({ results }, place) => {
    for (const result of results) {
      const gain = (result.score / rarity(results.length, all)) * term[place][1];
      if (!(best.get(result.id)?.gain >= gain)) best.set(result.id, { result, gain });
    }
  });
  return [...best.values()];
}

/** Add up the results of all terms; the best sections come first, and poor ones are left out. */
function addUp(answers, all) {
  const found = answers.filter((results) => results.length);
  const worths = found.map((results) => Math.sqrt(rarity(results.length, all)));
  const whole = worths.reduce((sum, worth) => sum + worth, 0);
  const sections = new Map();
  found.forEach((results, place) => {
    for (const { result, gain } of results) {
      if (!sections.has(result.id)) sections.set(result.id, new Section());
      sections.get(result.id).add(result, gain * worths[place], worths[place] / whole);
    }
  });
  const ranked = [...sections.values()].sort((one, other) => other.rank - one.rank);
  return ranked.filter(({ share, rank }) => share >= ENOUGH * ranked[0].share && rank >= POOR * ranked[0].rank);
}

/** Open the index that lies below an address; return what finds sections in it. */
export async function open(folder, again) {
  const [pagefind, list] = await Promise.all([
    import(new URL(`pagefind.js${again}`, folder)),
    fetch(new URL("words.json", folder)).then((answer) => answer.json()),
  ]);
  // A word stands for itself, hardly for longer ones that begin with it.
  await pagefind.options({ ranking: { termSimilarity: 9 } });
  await pagefind.init();
  const words = new Words(list);
  const { results } = await pagefind.search(null);
  const count = results.length;

  return async function find(query) {
    const { meant, terms, lost } = understand(query, words);
    const answers = await Promise.all(terms.map((term) => ask(pagefind, term, count)));
    const sections = addUp(answers, count);
    return { meant, lost, sections, near: lost.flatMap((word) => words.offers(join(word))).slice(0, NEAR) };
  };
}
