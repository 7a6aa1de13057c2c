import { kindOf } from './filter-names.ts'
import { type Asked, type Filter, withFilter } from './search-filters.ts'
import { filtersOf, type Nameable } from './search-suggestions.ts'

/** Filters that stand written out in the text, as `from:mira cake`, become filters; what only looks like one stays words. */
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
  /** The text without it. */
  readonly rest: string
}

/** The values of a filter, and when today is. */
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
  /** How much of the text names it. */
  readonly length: number
}

/** The longest name with which the text begins: names have spaces. */
function spelledOut(kind: Filter['kind'], value: string, known: Known): Found | null {
  const [longest] = wholeFilters(kind, '', known)
    .concat(wholeFilters(kind, firstWord(value), known))
    .flatMap(({ names, filter }) => names.map((name) => ({ filter, name })))
    .filter(({ name }) => name !== '' && isBegunWith(value, name))
    .toSorted((a, b) => b.name.length - a.name.length)
  return longest === undefined ? null : { filter: longest.filter, length: longest.name.length }
}

/** What the first word alone can mean. */
function onlyOne(kind: Filter['kind'], value: string, known: Known): Found | null {
  const word = firstWord(value)
  const [only, another] = wholeFilters(kind, word, known)
  return only === undefined || another !== undefined ? null : { filter: only.filter, length: word.length }
}

function wholeFilters(kind: Filter['kind'], rest: string, { nameable, now }: Known) {
  return filtersOf({ kind, rest }, nameable, now).flatMap((one) => {
    if (!('filter' in one)) return []
    // A room's category is no name of its own.
    const second = kind === 'has' || kind === 'pinned' ? one.filter.value : one.detail
    return [{ filter: one.filter, names: kind === 'in' ? [one.label] : [one.label, second] }]
  })
}

function isBegunWith(text: string, name: string): boolean {
  const isBegun = text.toLowerCase().startsWith(name.toLowerCase())
  return isBegun && /^(?:\s|$)/u.test(text.slice(name.length))
}

function firstWord(text: string): string {
  return /^\S*/u.exec(text)?.[0] ?? ''
}
