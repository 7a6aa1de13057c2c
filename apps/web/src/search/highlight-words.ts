import { locateWords, matchesWord, queryWordsOf } from '@foyer/protocol/words'

export interface Piece {
  readonly text: string
  readonly isFound: boolean
}

/** Characters of a long text shown before the first match. */
const LEAD_CHARACTERS = 80
const SHOWN_CHARACTERS = 400

/** Splits a text into matches and the text between them, with the matching rules of the server. */
export function highlightWords(text: string, query: string): Piece[] {
  const asked = queryWordsOf(query)
  const found = locateWords(text).filter(({ word }) => asked.some((one) => matchesWord(one, word)))
  const first = found[0]?.start ?? 0
  const start = first > SHOWN_CHARACTERS - LEAD_CHARACTERS ? first - LEAD_CHARACTERS : 0
  const end = Math.min(text.length, start + SHOWN_CHARACTERS)
  const pieces: Piece[] = start > 0 ? [{ text: '…', isFound: false }] : []
  let at = start
  for (const word of found.filter((one) => one.end <= end)) {
    pieces.push({ text: text.slice(at, word.start), isFound: false })
    pieces.push({ text: text.slice(word.start, word.end), isFound: true })
    at = word.end
  }
  pieces.push({ text: text.slice(at, end), isFound: false })
  if (end < text.length) pieces.push({ text: '…', isFound: false })
  return pieces.filter((piece) => piece.text !== '')
}
