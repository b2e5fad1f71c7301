// Which family a text speaks of: BM25 (minisearch) of the text's words against what the families are described by.
import MiniSearch from 'minisearch';
import { FAMILIES } from './families.mjs';

const LONGEST_TEXT = 400_000;
/** The words of a text that occur most; the rest is noise, and costs time. */
const MOST_TERMS = 400;
/** Too little to say anything. */
const LEAST_MATCHES = 2;

const COMMON = new Set(
  `a about above after all also an and any are as at be been before being between both but by can do does each for from
  had has have how if in into is it its may more most must no not of on only or other our out over shall should so some
  such than that the their them then there these they this those through to under until up use used using was we were
  what when where which who will with within without you your per via new one two first page date name`
    .split(/\s+/)
    .map(stem),
);

const index = new MiniSearch({
  fields: ['title', 'text'],
  processTerm: (term) => wordOf(term),
  searchOptions: { boost: { title: 2 }, combineWith: 'OR' },
});
index.addAll(FAMILIES);

/** `{ family, confidence, words }`; family is null when the text says too little. */
export function classify(text) {
  const counts = new Map();
  const spelled = new Map();
  for (const [found] of text
    .slice(0, LONGEST_TEXT)
    .toLowerCase()
    .matchAll(/[\p{L}][\p{L}\p{N}&-]{1,39}/gu)) {
    for (const part of [found, ...(found.includes('-') ? found.split('-') : [])]) {
      const word = wordOf(part);
      if (!word) continue;
      counts.set(word, (counts.get(word) ?? 0) + 1);
      if (!spelled.has(word)) spelled.set(word, part);
    }
  }
  const terms = [...counts].sort((a, b) => b[1] - a[1]).slice(0, MOST_TERMS);
  const weights = new Map(terms.map(([term, count]) => [term, 1 + Math.log(count)]));
  const results = index.search(terms.map(([term]) => term).join(' '), {
    // They are stems already, and hyphens have been dealt with.
    tokenize: (query) => query.split(' '),
    processTerm: (term) => term,
    boostTerm: (term) => weights.get(term) ?? 1,
  });
  const [best, second] = results;
  if (best === undefined || best.queryTerms.length < LEAST_MATCHES)
    return { family: null, confidence: null, words: [] };
  const words = best.queryTerms
    .sort((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0))
    .slice(0, 10)
    .map((term) => spelled.get(term) ?? term);
  return { family: best.id, confidence: confidence(best.score, second?.score ?? 0, best.queryTerms.length), words };
}

/** How far ahead of the next it is, and on how many words that rests. An order, not a probability. */
function confidence(best, second, matches) {
  const ahead = (best - second) / best;
  const support = matches / (matches + 4);
  return Math.round(Math.min(0.99, 0.35 + 0.65 * ahead) * support * 1_000) / 1_000;
}

function wordOf(term) {
  const word = stem(term.toLowerCase());
  return word.length < 2 || COMMON.has(word) ? null : word;
}

/** American and British spellings, singular and plural, and what is done and being done become one. */
function stem(word) {
  return word
    .replace(/is(ation|ed|ing|e|er)s?$/, 'iz$1')
    .replace(/(ation|ations|ating|ated|ates|ate)$/, 'at')
    .replace(/(ies|ied)$/, 'y')
    .replace(/(sses)$/, 'ss')
    .replace(/([^aeiou\W]{2,}|[aeiou][^aeiou\W])(ing|ed|es|s|ment|ments)$/, '$1')
    .replace(/([b-df-hj-np-tv-z])\1$/, '$1');
}
