import { t } from '#src/language/texts.ts'
import { type Filter, type FilterKind, filterKinds } from './search-filters.ts'

/** Names of the filters as typed. Each must be a single word in every language. */
const kindNames: Readonly<Record<FilterKind, () => string>> = {
  from: () => t('from'),
  mentions: () => t('mentions'),
  in: () => t('in'),
  has: () => t('has'),
  tag: () => t('tag'),
  solved: () => t('solved'),
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
  true: () => t('yes'),
  false: () => t('no'),
}

export function kindName(kind: Filter['kind']): string {
  return kindNames[kind === 'thread' ? 'in' : kind]()
}

/** Returns true if the values of a filter are translated words, not names or dates. */
export function hasWords(kind: Filter['kind']): boolean {
  return kind === 'has' || kind === 'pinned' || kind === 'solved'
}

/** Returns the translated name of a value that is a word. */
export function valueName(value: string): string {
  return valueNames[value]?.() ?? value
}

/** Returns the words of a filter in the current language. The label of a stored filter may be in another language. */
export function wordsOfFilter({ kind, value, label }: Filter): { kind: string; label: string } {
  return { kind: kindName(kind), label: hasWords(kind) ? valueName(value) : label }
}

/** Returns the filter kind that a word names, in the user's language or in English. */
export function kindOf(word: string): FilterKind | undefined {
  const means = (name: string) => name.toLowerCase() === word.toLowerCase()
  return filterKinds.find((kind) => means(kindName(kind))) ?? filterKinds.find(means)
}

/** Returns true if one of the names starts with the typed text. */
export function begins(typed: string, ...names: readonly string[]): boolean {
  return names.some((name) => name.toLowerCase().startsWith(typed.toLowerCase()))
}
