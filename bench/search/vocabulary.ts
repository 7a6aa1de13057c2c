import { Random as SeededRandom } from '../../apps/server/test/fuzz/random.ts'

/** Numbers from 0 to 1, reproducible by seed. */
export type Random = () => number

export function seeded(seed: number): Random {
  const random = new SeededRandom(seed)
  return () => random.next()
}

const ONSETS = [
  'b',
  'c',
  'd',
  'f',
  'g',
  'h',
  'k',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  't',
  'v',
  'w',
  'st',
  'th',
  'sch',
  'z',
]
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ei', 'ä', 'é']
const CODAS = ['', '', '', 'n', 'r', 's', 't', 'l']

/** Returns words by rank: common words are shorter, and a few have one letter. */
export function makeVocabulary(size: number, random: Random): string[] {
  const words = new Set<string>(['a', 'i', 'o'])
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? ''
  while (words.size < size) {
    const syllables = 1 + Math.floor(Math.log10(words.size + 10) * (0.4 + random() * 0.6))
    const parts = Array.from({ length: syllables }, () => pick(ONSETS) + pick(VOWELS) + pick(CODAS))
    words.add(parts.join(''))
  }
  return [...words]
}

/** Returns a random rank by Zipf's law: the word of rank n is n times as rare as the first. */
export function zipf(size: number, random: Random): number {
  return Math.min(size - 1, Math.floor((size + 1) ** random()) - 1)
}
