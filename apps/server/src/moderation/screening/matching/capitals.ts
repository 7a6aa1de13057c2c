/** Parts that are not checked for capitals: mentions, custom emojis and links. */
const SKIPPED = /<(?:@&?|#|:\w{1,40}:)[0-9a-f-]{36}>|\bhttps?:\/\/\S+/gi
const UPPER = /[\p{Lu}\p{Lt}]/gu
const LOWER = /\p{Ll}/gu

/** Returns true if a text has enough letters with a case, and the given percentage of them are capitals. */
export function isShouted(text: string, percent: number, minLetters: number): boolean {
  if (text.length < minLetters) return false
  const shown = text.replaceAll(SKIPPED, ' ')
  const upper = count(shown, UPPER)
  const letters = upper + count(shown, LOWER)
  return letters >= minLetters && upper * 100 >= percent * letters
}

function count(text: string, letter: RegExp): number {
  return text.match(letter)?.length ?? 0
}
