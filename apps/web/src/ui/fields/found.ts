/** Returns a score for how well a name matches the query (higher is better); null if it does not match. */
export function nearness(query: string, name: string): number | null {
  const [asked, text] = [fold(query), fold(name)]
  if (asked === '') return 0
  if (text === asked) return 100
  if (text.startsWith(asked)) return 80
  if (wordsOf(text).some((word) => word.startsWith(asked))) return 65
  if (text.includes(asked)) return 45
  if (beginsWords(asked, text)) return 40
  return scattered(asked, text)
}

/** Returns true if one of the names matches the query. */
export function isFound(query: string, ...names: string[]): boolean {
  return names.some((name) => nearness(query, name) !== null)
}

/** Normalizes a text for matching: without case, accents and variants of letters. */
export function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

/** Matches the beginnings of words: `gen cha` and `gch` match general-chat. */
function beginsWords(asked: string, text: string): boolean {
  const words = wordsOf(text)
  const parts = wordsOf(asked)
  if (parts.length > 1) return parts.every((part) => words.some((word) => word.startsWith(part)))
  return isMadeOf(asked, words)
}

/** Returns true if the query consists of beginnings of the words, in order. */
function isMadeOf(asked: string, [word, ...others]: readonly string[]): boolean {
  if (asked === '') return true
  if (word === undefined) return false
  const shared = [...asked].findIndex((letter, at) => letter !== [...word][at])
  const longest = shared === -1 ? asked.length : shared
  for (let length = longest; length >= 0; length -= 1) {
    if (isMadeOf(asked.slice(length), others)) return true
  }
  return false
}

/** Matches scattered letters in order, the first one at the start of a word. Closer letters score higher. */
function scattered(asked: string, text: string): number | null {
  const letters = [...asked].filter((letter) => letter.trim() !== '')
  // Two letters alone occur in nearly every name.
  if (letters.length < 3) return null
  const starts = [...text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)].map(({ index }) => index)
  const spans = starts.map((start) => spanFrom(start, letters, text)).filter((span) => span !== null)
  if (spans.length === 0) return null
  const excess = Math.min(...spans) - letters.length
  return excess > letters.length * 2 ? null : 30 - excess
}

function spanFrom(start: number, letters: readonly string[], text: string): number | null {
  let at = start - 1
  for (const [index, letter] of letters.entries()) {
    at = text.indexOf(letter, at + 1)
    if (at === -1 || (index === 0 && at !== start)) return null
  }
  return at - start + 1
}
