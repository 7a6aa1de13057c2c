import { searchKinds } from '@foyer/protocol/search'
import { t } from '#src/language/texts.ts'
import { begins, kindName, kindOf, valueName } from './filter-names.ts'
import { dayOf, type Filter, type FilterKind, filterKinds, isDay } from './search-filters.ts'

/** A user, room, thread or tag that a filter can name. */
export interface Named {
  readonly id: string
  readonly name: string
  /** Text that distinguishes results with the same name. */
  readonly detail: string
}

export interface Nameable {
  readonly people: readonly Named[]
  /** Rooms of the space; empty in a conversation. */
  readonly rooms: readonly Named[]
  /** The open thread or post. */
  readonly threads: readonly Named[]
  /** Tags of the space's forums: the tags of the open forum first. */
  readonly tags: readonly Named[]
  /** True if a forum has posts that may be solved. */
  readonly hasForums: boolean
}

/** A suggestion for the last word: the start of a filter, or a complete one. */
export type Suggestion =
  | { readonly key: string; readonly start: string; readonly label: string; readonly detail: string }
  | { readonly key: string; readonly filter: Filter; readonly label: string; readonly detail: string }

const MAX_SHOWN = 8

const explained: Readonly<Record<FilterKind, string>> = {
  from: t('a person'),
  mentions: t('a person'),
  in: t('a room'),
  has: t('link, file, image…'),
  tag: t('a post tag'),
  solved: t('yes or no'),
  before: t('a date'),
  after: t('a date'),
  during: t('a date'),
  pinned: t('yes or no'),
}

const answers = ['true', 'false'] as const

/** An incomplete filter at the end of a text. */
interface Begun {
  readonly kind: FilterKind
  /** Name as typed, with the colon. */
  readonly start: string
  readonly rest: string
}

/** Returns suggestions for the last word of the text. */
export function suggest(text: string, nameable: Nameable, now = new Date()): Suggestion[] {
  const begun = begunFilter(text)
  if (begun !== null) return filtersOf(begun, nameable, now).slice(0, MAX_SHOWN)
  return filterKinds
    .filter((kind) => isOffered(kind, nameable))
    .filter((kind) => begins(lastWord(text), kindName(kind), kind))
    .map((kind) => {
      const start = `${kindName(kind)}:`
      return { key: kind, start, label: start, detail: explained[kind] }
    })
}

function isOffered(kind: FilterKind, { rooms, tags, hasForums }: Nameable): boolean {
  if (kind === 'in') return rooms.length > 0
  if (kind === 'tag') return tags.length > 0
  return kind !== 'solved' || hasForums
}

/** Returns true if a filter is being typed. Enter then picks its suggestion instead of searching. */
export function isInFilter(text: string): boolean {
  return begunFilter(text) !== null
}

/** Returns the start of a date filter that is being typed, or null. */
export function dayFilterStart(text: string): string | null {
  const begun = begunFilter(text)
  if (begun === null || !['before', 'after', 'during'].includes(begun.kind)) return null
  return /\s/.test(begun.rest) ? null : begun.start
}

/** Returns the part of a user's name typed in a filter, or null. */
export function personSought(text: string): string | null {
  const begun = begunFilter(text)
  return begun?.kind === 'from' || begun?.kind === 'mentions' ? begun.rest : null
}

/** Returns the text without its last word or filter. */
export function withoutLastWord(text: string): string {
  return text.slice(0, text.length - lastWord(text).length)
}

function begunFilter(text: string): Begun | null {
  const [, word = '', rest = ''] = /^(\p{L}+):(.*)$/su.exec(lastWord(text)) ?? []
  const kind = kindOf(word)
  return kind === undefined ? null : { kind, start: `${word}:`, rest }
}

/** Returns the last word. A filter extends to the end of the text, because names contain spaces. */
function lastWord(text: string): string {
  const names = [...filterKinds.map(kindName), ...filterKinds].join('|')
  const filter = new RegExp(`^(?:.*\\s)?((?:${names}):.*)$`, 'isu').exec(text)?.[1]
  return filter ?? /(?<!\S)\S*$/u.exec(text)?.[0] ?? ''
}

/** Returns the complete filters of a kind that match the typed text. */
export function filtersOf(
  { kind, rest }: Pick<Begun, 'kind' | 'rest'>,
  nameable: Nameable,
  now: Date,
): Suggestion[] {
  if (kind === 'from' || kind === 'mentions') return named(kind, nameable.people, rest)
  if (kind === 'in') {
    const place = rest.replace(/^#/, '')
    return [...named('thread', nameable.threads, place), ...named(kind, nameable.rooms, place)]
  }
  if (kind === 'tag') return named(kind, nameable.tags, rest)
  if (kind === 'has') {
    const kinds = searchKinds.filter((value) => begins(rest.trim(), valueName(value), value))
    const detailOf = (value: string) => (value === 'embed' ? t('link preview or bot card') : '')
    return kinds.map((value) => whole({ kind, value, label: valueName(value) }, detailOf(value)))
  }
  if (kind === 'pinned' || kind === 'solved') {
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

function named(kind: Filter['kind'], all: readonly Named[], rest: string): Suggestion[] {
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
