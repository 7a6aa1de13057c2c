import { MAX_POST_TAGS } from '@foyer/protocol/limits'
import type { SearchKind, SearchMessagesQuery } from '@foyer/protocol/search'
import { searchKinds } from '@foyer/protocol/search'

/** Filters that can be typed by their names. */
export const filterKinds = [
  'from',
  'mentions',
  'in',
  'has',
  'tag',
  'solved',
  'before',
  'after',
  'during',
  'pinned',
] as const
export type FilterKind = (typeof filterKinds)[number]

/** Kinds of filters by location. A thread or post is typed with `in`, like a room. */
export const placeKinds = ['in', 'thread'] as const

/** One condition of a search. `value` is an id, a kind of file, a local date (2026-11-21), or true or false. */
export interface Filter {
  readonly kind: FilterKind | 'thread'
  readonly value: string
  /** Text shown instead of the value. */
  readonly label: string
}

/** The words and filters of a search. */
export interface Asked {
  readonly text: string
  readonly filters: readonly Filter[]
}

export const nothingAsked: Asked = { text: '', filters: [] }

export function isEmpty({ text, filters }: Asked): boolean {
  return text.trim() === '' && filters.length === 0
}

/** Adds a filter to a search, and removes the filters that it excludes. */
export function withFilter(asked: Asked, filter: Filter): Asked {
  const others = asked.filters.filter((other) => !excludes(filter, other))
  const tags = filter.kind === 'tag' ? others.filter(({ kind }) => kind === 'tag') : []
  // The server accepts at most `MAX_POST_TAGS` tags, so the oldest tag is dropped.
  const oldest = tags.length === MAX_POST_TAGS ? tags[0] : undefined
  return { ...asked, filters: [...others.filter((other) => other !== oldest), filter] }
}

/** Returns true if a search can have only one of two filters: their kind allows only one, or they are equal. */
function excludes(filter: Filter, other: Filter): boolean {
  const isPlace = (kind: string) => placeKinds.some((place) => place === kind)
  if (filter.kind === 'thread' || other.kind === 'thread') return isPlace(filter.kind) && isPlace(other.kind)
  if (filter.kind !== other.kind) return false
  const isOnly = ['solved', 'before', 'after', 'during', 'pinned'].includes(filter.kind)
  return isOnly || filter.value === other.value
}

export function withoutFilter(asked: Asked, filter: Filter): Asked {
  return { ...asked, filters: asked.filters.filter((other) => other !== filter) }
}

/** Returns the query parameters of a search. */
export function toQuery({ text, filters }: Asked): SearchMessagesQuery {
  const valuesOf = (wanted: Filter['kind']) =>
    filters.filter(({ kind }) => kind === wanted).map(({ value }) => value)
  const lists = {
    author_id: valuesOf('from'),
    mentions: valuesOf('mentions'),
    room_id: valuesOf('in'),
    has: valuesOf('has').filter(isSearchKind),
    tag: valuesOf('tag'),
  }
  const [pinned] = valuesOf('pinned')
  const [solved] = valuesOf('solved')
  const [thread] = valuesOf('thread')
  const after = latest([...valuesOf('after').map(lastOf), ...valuesOf('during').map(justBefore)])
  const before = earliest([...valuesOf('before').map(startOf), ...valuesOf('during').map(nextDay)])
  return {
    ...(text.trim() !== '' && { query: text.trim() }),
    ...Object.fromEntries(Object.entries(lists).filter(([, values]) => values.length > 0)),
    ...(thread !== undefined && { thread }),
    ...(pinned !== undefined && { pinned: pinned === 'true' }),
    ...(solved !== undefined && { solved: solved === 'true' }),
    ...(after !== undefined && { after: after.toISOString() }),
    ...(before !== undefined && { before: before.toISOString() }),
  }
}

/** Returns true if the text is a valid date such as 2026-11-21. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && dayOf(startOf(text)) === text
}

/** Returns the local date of a time. */
export function dayOf(time: Date): string {
  const part = (value: number) => String(value).padStart(2, '0')
  return `${String(time.getFullYear()).padStart(4, '0')}-${part(time.getMonth() + 1)}-${part(time.getDate())}`
}

function isSearchKind(value: string): value is SearchKind {
  return searchKinds.some((kind) => kind === value)
}

/** Returns local midnight. `new Date(day)` would be midnight UTC. */
function startOf(day: string): Date {
  return new Date(`${day}T00:00:00`)
}

function nextDay(day: string): Date {
  const start = startOf(day)
  return new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1)
}

/** Returns the last millisecond before a date, because the server excludes the given time. */
function justBefore(day: string): Date {
  return new Date(startOf(day).getTime() - 1)
}

function lastOf(day: string): Date {
  return new Date(nextDay(day).getTime() - 1)
}

function latest(times: readonly Date[]): Date | undefined {
  return times.toSorted((a, b) => a.getTime() - b.getTime()).at(-1)
}

function earliest(times: readonly Date[]): Date | undefined {
  return times.toSorted((a, b) => a.getTime() - b.getTime())[0]
}
