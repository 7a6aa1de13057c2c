import { hasWords, kindOf } from './filter-names.ts'
import { type Asked, type Filter, type FilterKind, withFilter } from './search-filters.ts'
import { filtersOf, type Nameable } from './search-suggestions.ts'

/** Turns filters typed in the text, as in `from:mira cake`, into filters. Words that match no filter stay in the text. */
export function withTypedFilters(asked: Asked, nameable: Nameable, now = new Date()): Asked {
  const words = [...asked.text.matchAll(/(?<!\S)(\p{L}+):\s*[@#]?(?=\S)/gu)]
  const typed = words
    .map((word) => typedFilter(asked.text, word, { nameable, now }))
    .find((one) => one !== null)
  if (typed === undefined) return asked
  return withTypedFilters(withFilter({ ...asked, text: typed.rest }, typed.filter), nameable, now)
}

interface Typed {
  readonly filter: Filter
  /** The text without the filter. */
  readonly rest: string
}

/** The possible values of filters, and the current time. */
interface Known {
  readonly nameable: Nameable
  readonly now: Date
}

function typedFilter(text: string, word: RegExpExecArray, known: Known): Typed | null {
  const kind = kindOf(word[1] ?? '')
  const value = text.slice(word.index + word[0].length)
  const found = kind === undefined ? null : (spelledOut(kind, value, known) ?? onlyOne(kind, value, known))
  if (found === null) return null
  const rest = `${text.slice(0, word.index)}${value.slice(found.length).trimStart()}`
  return { filter: found.filter, rest }
}

interface Found {
  readonly filter: Filter
  /** Number of characters that the value takes up in the text. */
  readonly length: number
}

/** Returns the filter with the longest name that the text starts with. Names may contain spaces. */
function spelledOut(kind: FilterKind, value: string, known: Known): Found | null {
  const [longest] = wholeFilters(kind, '', known)
    .concat(wholeFilters(kind, firstWord(value), known))
    .flatMap(({ names, filter }) => names.map((name) => ({ filter, name })))
    .filter(({ name }) => name !== '' && isBegunWith(value, name))
    .toSorted((a, b) => b.name.length - a.name.length)
  return longest === undefined ? null : { filter: longest.filter, length: longest.name.length }
}

/** Returns the filter that the first word matches, if it matches only one. */
function onlyOne(kind: FilterKind, value: string, known: Known): Found | null {
  const word = firstWord(value)
  const [only, another] = wholeFilters(kind, word, known)
  return only === undefined || another !== undefined ? null : { filter: only.filter, length: word.length }
}

function wholeFilters(kind: FilterKind, rest: string, { nameable, now }: Known) {
  return filtersOf({ kind, rest }, nameable, now).flatMap((one) => {
    if (!('filter' in one)) return []
    const second = hasWords(kind) ? one.filter.value : one.detail
    return [{ filter: one.filter, names: isPlaced(one.filter) ? [one.label] : [one.label, second] }]
  })
}

/** Returns true if the filter's detail is a location (a room's category, a tag's forum) and not a second name. */
function isPlaced({ kind }: Filter): boolean {
  return kind === 'in' || kind === 'tag'
}

function isBegunWith(text: string, name: string): boolean {
  const isBegun = text.toLowerCase().startsWith(name.toLowerCase())
  return isBegun && /^(?:\s|$)/u.test(text.slice(name.length))
}

function firstWord(text: string): string {
  return /^\S*/u.exec(text)?.[0] ?? ''
}
