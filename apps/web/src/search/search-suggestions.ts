import { searchKinds } from '@foyer/protocol/search'
import { t } from '#src/language/texts.ts'
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

const kindNames: Readonly<Record<string, string>> = { sound: t('sound'), embed: t('card of a link or a bot') }

/** What the word at the end of the text may become. */
export function suggest(text: string, nameable: Nameable, now = new Date()): Suggestion[] {
  const word = lastWord(text)
  const [, start = '', rest = ''] = /^(\w+):(.*)$/su.exec(word) ?? []
  const kind = filterKinds.find((known) => known === start.toLowerCase())
  if (kind !== undefined) return filtersOf(kind, rest, nameable, now).slice(0, MAX_SHOWN)
  return filterKinds
    .filter((known) => known !== 'in' || nameable.rooms.length > 0)
    .filter((known) => known.startsWith(word.toLowerCase()))
    .map((known) => ({ key: known, start: `${known}:`, label: `${known}:`, detail: explained[known] }))
}

/** Whether a filter is being written: then it is its suggestion that Enter means, not the search. */
export function isInFilter(text: string): boolean {
  const [, start] = /^(\w+):/.exec(lastWord(text)) ?? []
  return filterKinds.some((kind) => kind === start?.toLowerCase())
}

/** What is typed of a person's name in a filter; null where nobody is being named. */
export function personSought(text: string): string | null {
  return /^(?:from|mentions):(.*)$/isu.exec(lastWord(text))?.[1] ?? null
}

/** The text without the word that became a filter. */
export function withoutLastWord(text: string): string {
  return text.slice(0, text.length - lastWord(text).length)
}

/** A filter reaches to the end: names have spaces. */
function lastWord(text: string): string {
  const filter = new RegExp(`(?:^|\\s)((?:${filterKinds.join('|')}):.*)$`, 'isu').exec(text)?.[1]
  return filter ?? /\S*$/u.exec(text)?.[0] ?? ''
}

function filtersOf(kind: FilterKind, rest: string, nameable: Nameable, now: Date): Suggestion[] {
  if (kind === 'from' || kind === 'mentions') return named(kind, nameable.people, rest)
  if (kind === 'in') return named(kind, nameable.rooms, rest.replace(/^#/, ''))
  if (kind === 'has') {
    const kinds = searchKinds.filter((known) => known.startsWith(rest.trim().toLowerCase()))
    return kinds.map((value) => whole({ kind, value, label: value }, kindNames[value] ?? ''))
  }
  if (kind === 'pinned') {
    const values = ['true', 'false'].filter((value) => value.startsWith(rest.trim().toLowerCase()))
    return values.map((value) => whole({ kind, value, label: value }, ''))
  }
  return days(kind, rest.trim().toLowerCase(), now)
}

function days(kind: FilterKind, rest: string, now: Date): Suggestion[] {
  if (isDay(rest)) return [whole({ kind, value: rest, label: rest }, '')]
  const ago = (count: number) => dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - count))
  const near = [
    [t('today'), ago(0)],
    [t('yesterday'), ago(1)],
    [t('a week ago'), ago(7)],
    [t('a month ago'), ago(30)],
  ] as const
  return near
    .filter(([name, day]) => name.startsWith(rest) || day.startsWith(rest))
    .map(([name, day]) => whole({ kind, value: day, label: day }, name))
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
