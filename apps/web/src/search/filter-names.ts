import { t } from '#src/language/texts.ts'
import { type Filter, type FilterKind, filterKinds } from './search-filters.ts'

/** What filters are called where one types them: each is one word, in every language. */
const kindNames: Readonly<Record<FilterKind, () => string>> = {
  from: () => t('from'),
  mentions: () => t('mentions'),
  in: () => t('in'),
  has: () => t('has'),
  before: () => t('before'),
  after: () => t('after'),
  during: () => t('during'),
  pinned: () => t('pinned'),
}

const valueNames: Readonly<Record<string, (() => string) | undefined>> = {
  link: () => t('link'),
  embed: () => t('embed'),
  file: () => t('file'),
  image: () => t('image'),
  video: () => t('video'),
  sound: () => t('sound'),
  sticker: () => t('sticker'),
  true: () => t('true'),
  false: () => t('false'),
}

export function kindName(kind: FilterKind): string {
  return kindNames[kind]()
}

/** What a message may have, or whether it is pinned, as people read and type it. */
export function valueName(value: string): string {
  return valueNames[value]?.() ?? value
}

/** A filter as people read it: one that was kept may have its label in another language. */
export function wordsOfFilter({ kind, value, label }: Filter): { kind: string; label: string } {
  const isNamed = kind === 'has' || kind === 'pinned'
  return { kind: kindName(kind), label: isNamed ? valueName(value) : label }
}

/** The kind that a word means: English is understood beside the reader's language. */
export function kindOf(word: string): FilterKind | undefined {
  const means = (name: string) => name.toLowerCase() === word.toLowerCase()
  return filterKinds.find((kind) => means(kindName(kind))) ?? filterKinds.find(means)
}

/** Whether what was typed begins one of these names. */
export function begins(typed: string, ...names: readonly string[]): boolean {
  return names.some((name) => name.toLowerCase().startsWith(typed.toLowerCase()))
}
