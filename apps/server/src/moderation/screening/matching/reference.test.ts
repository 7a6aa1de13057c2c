import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compileMatcher } from './matcher.ts'

const RUNS = 800
const LETTERS = 'aaabilé'

const word = fc.string({ unit: fc.constantFrom(...'abiall'), minLength: 1, maxLength: 2 })
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '*'),
    fc.array(word, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '*'),
  )
  .filter(([before, words, after]) => before + after === '' || words.join('').length > 1)
  .map(([before, words, after]) => `${before}${words.join(' ')}${after}`)
const text = fc.string({
  unit: fc.constantFrom(...`${LETTERS}${LETTERS}  ,—\n`),
  minLength: 5,
  maxLength: 40,
})
const lists = fc.array(
  fc.record({
    words: fc.array(pattern, { minLength: 1, maxLength: 4 }),
    allowed: fc.array(pattern, { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 5 },
)

test('AUTOMOD-20 and AUTOMOD-21: texts without disguise are caught as a plain reading of the rules says', async () => {
  let caught = 0
  await fc.assert(
    fc.asyncProperty(lists, fc.array(text, { minLength: 1, maxLength: 5 }), async (rules, texts) => {
      const matcher = await compileMatcher(
        rules.map(({ words, allowed }, index) => ({
          id: String(index),
          trigger: { type: 'words', words, allowed },
        })),
        {},
      )
      for (const read of texts) {
        const expected = rules.flatMap((rule, index) => (isCaught(rule, read) ? [String(index)] : []))
        caught += expected.length
        assert.deepEqual(
          matcher.match([read]).map(({ ruleId }) => ruleId),
          expected,
        )
      }
    }),
    { numRuns: RUNS, seed: 1 },
  )
  assert.ok(caught > RUNS / 2, 'many texts are caught')
})

interface Place {
  start: number
  end: number
}

function isCaught({ words, allowed }: { words: string[]; allowed: string[] }, read: string): boolean {
  const exceptions = allowed.flatMap((except) => placesOf(except, read))
  return words
    .flatMap((caught) => placesOf(caught, read))
    .some(({ start, end }) => !exceptions.some((except) => except.start <= start && end <= except.end))
}

/** Tries every part of the text, one after the other. */
function placesOf(wanted: string, read: string): Place[] {
  const folded = read.replaceAll('é', 'e')
  const starts = Array.from(folded, (_, start) => start)
  return starts
    .flatMap((start) => starts.slice(start).map((last) => ({ start, end: last + 1 })))
    .filter((place) => fits(wanted, folded, place))
}

function fits(wanted: string, folded: string, { start, end }: Place): boolean {
  const part = folded.slice(start, end)
  if (!isLetter(part.at(0)) || !isLetter(part.at(-1))) return false
  if (!wanted.startsWith('*') && isLetter(folded[start - 1])) return false
  if (!wanted.endsWith('*') && isLetter(folded[end])) return false
  return part.split(/[^a-z]+/).join(' ') === wanted.replaceAll('*', '')
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[a-z]/.test(character)
}
