import {
  confusables,
  foldCharacter,
  isApart,
  isPlain,
  isUnused,
  Kind,
  kindOf,
  skeletonOf,
} from './characters.ts'
import { runInSlices } from './slices.ts'

/** Characters from here on have no fold and no lookalike: rare ideographs, tags and private use. */
export const TABLE_SIZE = 0x30000

/** Maximum ids. The ids of skeletons with several characters, about 1,100, follow those of the characters. */
const MAX_IDS = TABLE_SIZE + 0x1000
const STEP = 64

/** Blocks whose characters have no fold. Only those in the table of lookalikes are processed. */
const PLAIN_BLOCKS: readonly { first: number; last: number; kind: number }[] = [
  { first: 0x3400, last: 0x4dbf, kind: Kind.apart },
  { first: 0x4e00, last: 0x9fff, kind: Kind.apart },
  { first: 0xac00, last: 0xd7a3, kind: Kind.letter },
  { first: 0xd800, last: 0xf8ff, kind: Kind.separator },
  { first: 0x17000, last: 0x18cff, kind: Kind.letter },
  { first: 0x20000, last: 0x2f7ff, kind: Kind.apart },
]

/** Properties of every character, by code point. */
export interface Letters {
  /** See `Kind`. */
  readonly kinds: Uint8Array
  /** The folded letter; 0 if it folds to several, which are in `expansions`. */
  readonly folds: Int32Array
  /** Id of the skeleton: a code point, or the id of several characters in `skeletonIds`. */
  readonly skeletons: Int32Array
  /** Id of the skeleton of the character's upper case. */
  readonly upperSkeletons: Int32Array
  /** By code point and skeleton id. Characters that can be read as the same letter have the same class number. */
  readonly classes: Int32Array
  /** By class number: 1 if all members of the class are symbols, or letters of the kind `apart`. */
  readonly apart: Uint8Array
  /** Folded letters of characters that expand to several, such as ﬁ and ß. */
  readonly expansions: ReadonlyMap<number, readonly number[]>
  /** Skeletons of several characters, such as rn. */
  readonly skeletonIds: ReadonlyMap<string, number>
}

type Draft = Letters & { expansions: Map<number, readonly number[]>; skeletonIds: Map<string, number> }

let letters: Promise<Letters> | undefined

/** Builds the tables at the first call, which takes about 0.2 s of CPU, in slices. */
export function loadLetters(): Promise<Letters> {
  letters ??= runInSlices(buildLetters())
  return letters
}

function* buildLetters(): Generator<undefined, Letters> {
  const draft: Draft = {
    kinds: new Uint8Array(TABLE_SIZE),
    folds: new Int32Array(TABLE_SIZE),
    skeletons: new Int32Array(TABLE_SIZE),
    upperSkeletons: new Int32Array(TABLE_SIZE),
    classes: new Int32Array(MAX_IDS),
    apart: new Uint8Array(MAX_IDS).fill(1),
    expansions: new Map(),
    skeletonIds: new Map(),
  }
  for (const table of [draft.folds, draft.skeletons, draft.upperSkeletons, draft.classes])
    yield* fillWithIndexes(table)
  let steps = 0
  for (const code of listedCodes(draft)) {
    addCharacter(draft, code)
    steps += 1
    if (steps % STEP === 0) yield
  }
  yield* closeClasses(draft)
  return draft
}

/** Maps each character to itself, as the default for folds and lookalikes. */
function* fillWithIndexes(table: Int32Array): Generator<undefined, void> {
  for (let index = 0; index < table.length; index += 1) {
    table[index] = index
    if (index % 4096 === 0) yield
  }
}

/** Fills the plain blocks, and yields the characters outside of them. */
function* listedCodes({ kinds }: Letters): Generator<number> {
  let next = 0
  for (const { first, last, kind } of PLAIN_BLOCKS) {
    for (let code = next; code < first; code += 1) yield code
    kinds.fill(kind, first, last + 1)
    next = last + 1
  }
  for (let code = next; code < TABLE_SIZE; code += 1) yield code
  for (const character of confusables) {
    const code = character.codePointAt(0) ?? 0
    if (PLAIN_BLOCKS.some(({ first, last }) => code >= first && code <= last)) yield code
  }
}

function addCharacter(draft: Draft, code: number): void {
  const character = String.fromCodePoint(code)
  const kind = isUnused(character) ? Kind.separator : kindOf(character)
  draft.kinds[code] = kind
  if (kind === Kind.vowel) draft.apart[code] = isApart(character) ? 1 : 0
  if (kind === Kind.ignored || kind === Kind.vowel || isPlain(character)) return
  const skeleton = skeletonId(draft, skeletonOf(character))
  const upperSkeleton = skeletonId(draft, skeletonOf(character.toUpperCase()))
  const folded = codesOf(foldCharacter(character))
  draft.skeletons[code] = skeleton
  draft.upperSkeletons[code] = upperSkeleton
  draft.folds[code] = folded.length === 1 ? (folded[0] ?? 0) : 0
  const looks = code < 0x80 ? [] : codesOf(Array.from(skeletonOf(character), foldCharacter).join(''))
  if (folded.length > 1) draft.expansions.set(code, folded)
  else if (looks.length > 1 && kind !== Kind.separator) draft.expansions.set(code, looks)
  const isLetter = kind === Kind.letter || kind === Kind.apart
  for (const id of [skeleton, upperSkeleton, ...(isLetter && folded.length === 1 ? folded : [])])
    unite(draft, code, id)
}

function skeletonId({ skeletonIds }: Draft, skeleton: string): number {
  const [first = 0, second] = codesOf(skeleton)
  if (second === undefined) return first
  const known = skeletonIds.get(skeleton)
  if (known !== undefined) return known
  const id = TABLE_SIZE + skeletonIds.size
  skeletonIds.set(skeleton, id)
  return id
}

function codesOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0)
}

/** Unites two classes under their smallest member. */
function unite({ classes }: Letters, one: number, other: number): void {
  const [low = 0, high = 0] = [rootOf(classes, one), rootOf(classes, other)].sort((a, b) => a - b)
  classes[high] = low
}

function rootOf(classes: Int32Array, id: number): number {
  let root = id
  for (let above = classes[root] ?? root; above !== root; above = classes[root] ?? root) root = above
  classes[id] = root
  return root
}

function* closeClasses({ classes, kinds, apart }: Letters): Generator<undefined, void> {
  for (let id = 0; id < MAX_IDS; id += 1) {
    const root = rootOf(classes, id)
    if (kinds[id] === Kind.letter) apart[root] = 0
    if (id % 1024 === 0) yield
  }
}
