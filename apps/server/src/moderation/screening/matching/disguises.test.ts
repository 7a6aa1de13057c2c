import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { Random } from '#test/fuzz/random.ts'
import { compileMatcher } from './matcher.ts'

/** More, with other words and disguises, with AUTOMOD_FUZZ_CASES=1000000 and AUTOMOD_FUZZ_SEED=2. */
const CASES = Number(process.env.AUTOMOD_FUZZ_CASES ?? 20_000)
const SEED = Number(process.env.AUTOMOD_FUZZ_SEED ?? 1)
const CASES_PER_MATCHER = 10_000
const WORDS_PER_MATCHER = 500
const INVISIBLE = [
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\u00ad',
  '\ufe0f',
  '\u034f',
  '\u202e',
  '\u061c',
  '\u{e0061}',
]
const MARKS = [
  '\u0301',
  '\u0308',
  '\u0323',
  '\u0337',
  '\u0489',
  '\u20dd',
  '\u1ab0',
  '\u0651',
  '\u05b0',
  '\u093e',
]
const MARKUP = ['*', '**', '***', '_', '__', '~~', '`', '||', '\\']
const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz',
  'abcdefghijklmnopqrstuvwxyz',
  'ilmrnvwoecaus0123456789',
  'éñüøłđßæœçåı',
  'αβγδεζηθικλμνξοπρσςτυφχψω',
  'абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґ',
  'אבגדהוזחטיכלמנסעפצקרשת',
  'ابتجدرسعفكلمنهوي',
  'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ',
]
const PLAIN = /^(?:[a-z]+|[A-Z][a-z]*|[A-Z]+|\d+)$/
const DISGUISED = /^rn|vv/

const prototypes: Record<string, string> = createRequire(import.meta.url)('unhomoglyph/data.json')
const { byFold, bySkeleton } = groupCharacters()

test(`AUTOMOD-23: a word is caught in any of ${CASES} random disguises`, async () => {
  const random = new Random(SEED)
  for (let done = 0; done < CASES; done += CASES_PER_MATCHER)
    await tryDisguises(random, Math.min(CASES_PER_MATCHER, CASES - done))
})

test('AUTOMOD-23: the disguises include what people use', () => {
  for (const [letter, options] of [
    ['a', 'aAаáＡⓐ𝓪Α'],
    ['l', 'lLI1|Ӏ∣'],
    ['i', 'iIl1ıі'],
    ['o', 'oO0оοσ'],
    ['s', 'sSſѕ'],
  ] as const)
    for (const option of options) assert.ok(optionsFor(letter).includes(option), `${letter}: ${option}`)
})

async function tryDisguises(random: Random, cases: number): Promise<void> {
  const words = Array.from({ length: WORDS_PER_MATCHER }, () => randomWord(random))
  const rules = words.map((word) => ({ id: word, trigger: { type: 'words' as const, words: [word] } }))
  const matcher = await compileMatcher(rules, {})
  for (let index = 0; index < cases; index += 1) {
    const word = random.pick(words)
    const [before, after] = [random.pick(['', 'see ', '("', 'x\n']), random.pick(['', ' now', '!', '\n'])]
    const text = `${before}${disguise(random, word)}${after}`
    const isCaught = matcher.match([text]).some(({ ruleId }) => ruleId === word)
    if (!isCaught) assert.fail(`seed ${SEED}: “${word}” passed as ${JSON.stringify(text)} (${codesOf(text)})`)
  }
}

function randomWord(random: Random): string {
  const letters = Array.from(random.pick(ALPHABETS))
  const length = 3 + random.below(6)
  const word = Array.from({ length }, () => random.pick(letters)).join('')
  return random.next() < 0.1
    ? `${word} ${Array.from({ length: 3 }, () => random.pick(letters)).join('')}`
    : word
}

/** Draws again where the result is another plain word, which is read as it is written. */
function disguise(random: Random, word: string): string {
  for (;;) {
    const parts = word.split(' ')
    const written = parts.map((part) => Array.from(part, (letter) => replaced(random, letter)))
    const isPlain = written.some((letters, at) => {
      const text = letters.join('')
      return PLAIN.test(text) && !DISGUISED.test(text) && text.toLowerCase() !== parts[at]
    })
    if (!isPlain)
      return written.map((letters) => decorate(random, letters)).join(random.pick([' ', ', ', '\n\n', ' — ']))
  }
}

function replaced(random: Random, letter: string): string {
  return random.next() < 0.5 ? letter : random.pick(optionsFor(letter))
}

/** Puts invisible characters, marks and Markdown between and after the letters. */
function decorate(random: Random, letters: readonly string[]): string {
  const chance = random.pick([0, 0.1, 0.5])
  const open = random.below(letters.length)
  const close = random.next() < 0.2 ? open + random.below(letters.length - open) : -1
  return letters
    .map((letter, at) => {
      const extra = random.next() < chance ? random.pick(random.pick([INVISIBLE, MARKS, MARKUP])) : ''
      const before = at === open && close >= 0 ? '[' : ''
      return `${before}${letter}${extra}${at === close ? '](https://a.example/b)' : ''}`
    })
    .join('')
}

/** Everything that the promise allows in the place of a letter. */
function optionsFor(letter: string): string[] {
  const skeletons = [letter, letter.toLowerCase(), letter.toUpperCase()].map(skeletonOf)
  return [
    letter,
    ...(byFold.get(foldOf(letter)) ?? []),
    ...skeletons.flatMap((skeleton) => bySkeleton.get(skeleton) ?? []),
  ]
}

function groupCharacters() {
  const [folds, skeletons] = [new Map<string, string[]>(), new Map<string, string[]>()]
  for (let code = 0x21; code < 0x20000; code += 1) {
    const isHan = code >= 0x3400 && code < 0xa000
    const isUnused = (code >= 0xac00 && code < 0xf900) || (code >= 0x17000 && code < 0x1b000)
    if (isHan || isUnused) continue
    const character = String.fromCodePoint(code)
    if (/^[\p{M}\p{DI}\p{C}\p{Z}]$/u.test(character)) continue
    add(folds, foldOf(character), character)
    add(skeletons, skeletonOf(character), character)
  }
  return { byFold: folds, bySkeleton: skeletons }
}

function add(groups: Map<string, string[]>, key: string, character: string): void {
  const known = groups.get(key)
  if (known === undefined) groups.set(key, [character])
  else known.push(character)
}

/** Another reading of the same rules as the engine's. */
function foldOf(character: string): string {
  const bare = character.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return bare
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
}

function skeletonOf(text: string): string {
  const mapped = Array.from(text.normalize('NFD'), (character) => prototypes[character] ?? character)
  return mapped.join('').normalize('NFD')
}

function codesOf(text: string): string {
  return Array.from(text, (character) => (character.codePointAt(0) ?? 0).toString(16)).join(' ')
}
