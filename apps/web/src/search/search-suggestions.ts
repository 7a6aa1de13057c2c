import { searchKinds } from '@foyer/protocol/search'
import { t } from '#src/language/texts.ts'
import { begins, kindName, kindOf, valueName } from './filter-names.ts'
import { dayOf, type Filter, type FilterKind, filterKinds, isDay } from './search-filters.ts'

/** Someone or somewhere that can be named in a filter. */
export interface Named {
  readonly id: string
  readonly name: string
  /** What tells it apart from others of the same name. */
  readonly detail: string
}

export interface Nameable {
  readonly people: readonly Named[]
  /** None where a conversation is searched. */
  readonly rooms: readonly Named[]
}

/** What could be meant by the word that is being written: the beginning of a filter, or a whole one. */
export type Suggestion =
  | { readonly key: string; readonly start: string; readonly label: string; readonly detail: string }
  | { readonly key: string; readonly filter: Filter; readonly label: string; readonly detail: string }

const MAX_SHOWN = 8

const explained: Readonly<Record<FilterKind, string>> = {
  from: t('who wrote it'),
  mentions: t('whom it mentions'),
  in: t('the room'),
  has: t('link, file, image…'),
  before: t('a day'),
  after: t('a day'),
  during: t('a day'),
  pinned: t('true or false'),
}

const answers = ['true', 'false'] as const

/** A filter that is being written at the end of a text. */
interface Begun {
  readonly kind: FilterKind
  /** As it was typed, with its colon. */
  readonly start: string
  readonly rest: string
}

/** What the word at the end of the text may become. */
export function suggest(text: string, nameable: Nameable, now = new Date()): Suggestion[] {
  const begun = begunFilter(text)
  if (begun !== null) return filtersOf(begun, nameable, now).slice(0, MAX_SHOWN)
  return filterKinds
    .filter((kind) => kind !== 'in' || nameable.rooms.length > 0)
    .filter((kind) => begins(lastWord(text), kindName(kind), kind))
    .map((kind) => {
      const start = `${kindName(kind)}:`
      return { key: kind, start, label: start, detail: explained[kind] }
    })
}

/** Whether a filter is being written: then it is its suggestion that Enter means, not the search. */
export function isInFilter(text: string): boolean {
  return begunFilter(text) !== null
}

/** The beginning of a filter of days, after which a day is picked; null where no such is being written. */
export function dayFilterStart(text: string): string | null {
  const begun = begunFilter(text)
  if (begun === null || !['before', 'after', 'during'].includes(begun.kind)) return null
  return /\s/.test(begun.rest) ? null : begun.start
}

/** What is typed of a person's name in a filter; null where nobody is being named. */
export function personSought(text: string): string | null {
  const begun = begunFilter(text)
  return begun?.kind === 'from' || begun?.kind === 'mentions' ? begun.rest : null
}

/** The text without the word that became a filter. */
export function withoutLastWord(text: string): string {
  return text.slice(0, text.length - lastWord(text).length)
}

function begunFilter(text: string): Begun | null {
  const [, word = '', rest = ''] = /^(\p{L}+):(.*)$/su.exec(lastWord(text)) ?? []
  const kind = kindOf(word)
  return kind === undefined ? null : { kind, start: `${word}:`, rest }
}

/** The last filter reaches to the end: names have spaces. */
function lastWord(text: string): string {
  const names = [...filterKinds.map(kindName), ...filterKinds].join('|')
  const filter = new RegExp(`^(?:.*\\s)?((?:${names}):.*)$`, 'isu').exec(text)?.[1]
  return filter ?? /(?<!\S)\S*$/u.exec(text)?.[0] ?? ''
}

/** What a filter of this kind may be, by what of it is typed. */
export function filtersOf(
  { kind, rest }: Pick<Begun, 'kind' | 'rest'>,
  nameable: Nameable,
  now: Date,
): Suggestion[] {
  if (kind === 'from' || kind === 'mentions') return named(kind, nameable.people, rest)
  if (kind === 'in') return named(kind, nameable.rooms, rest.replace(/^#/, ''))
  if (kind === 'has') {
    const kinds = searchKinds.filter((value) => begins(rest.trim(), valueName(value), value))
    const detailOf = (value: string) => (value === 'embed' ? t('card of a link or a bot') : '')
    return kinds.map((value) => whole({ kind, value, label: valueName(value) }, detailOf(value)))
  }
  if (kind === 'pinned') {
    const values = answers.filter((value) => begins(rest.trim(), valueName(value), value))
    return values.map((value) => whole({ kind, value, label: valueName(value) }, ''))
  }
  return days(kind, rest.trim(), now)
}

function days(kind: FilterKind, rest: string, now: Date): Suggestion[] {
  if (isDay(rest)) return [whole({ kind, value: rest, label: rest }, '')]
  const ago = (count: number) => dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - count))
  const near = [
    [t('today'), 'today', ago(0)],
    [t('yesterday'), 'yesterday', ago(1)],
    [t('a week ago'), 'a week ago', ago(7)],
    [t('a month ago'), 'a month ago', ago(30)],
  ] as const
  return near
    .filter((names) => begins(rest, ...names))
    .map(([name, , day]) => whole({ kind, value: day, label: day }, name))
}

function named(kind: FilterKind, all: readonly Named[], rest: string): Suggestion[] {
  const asked = rest.trim().replace(/^@/, '').toLowerCase()
  const distance = ({ name, detail }: Named) => {
    const texts = [name.toLowerCase(), detail.toLowerCase()]
    if (texts.some((text) => text.startsWith(asked))) return 0
    return texts.some((text) => text.includes(asked)) ? 1 : 2
  }
  return all
    .filter((one) => distance(one) < 2)
    .toSorted((a, b) => distance(a) - distance(b))
    .map(({ id, name, detail }) => whole({ kind, value: id, label: name }, detail))
}

function whole(filter: Filter, detail: string): Suggestion {
  return { key: `${filter.kind}:${filter.value}`, filter, label: filter.label, detail }
}
