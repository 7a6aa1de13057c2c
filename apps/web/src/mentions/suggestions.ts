import { type Room, RoomType } from '@foyer/protocol/rooms'
import type { User } from '@foyer/protocol/users'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { rolesFromTop } from '#src/permissions/rights.ts'
import { roomName } from '#src/rooms/names/room-name.ts'
import type { State } from '#src/store/state.ts'
import { nearness } from './completion-query.ts'

/** A suggested mention or emoji. */
export interface Suggestion {
  readonly kind: 'user' | 'role' | 'everyone' | 'room' | 'emoji'
  readonly key: string
  /** Text inserted into the field. */
  readonly text: string
  /** Token for the text; null if the text is sent unchanged. */
  readonly token: string | null
  readonly label: string
  /** Distinguishes suggestions with the same label. */
  readonly detail: string
}

const MAX_SHOWN = 10

type Found = readonly (readonly [Suggestion, string])[]

/** Returns the people, roles and @everyone that can be mentioned in the channel. */
export function suggestPeople(
  state: State,
  channel: OpenChannel,
  query: string,
  mayAll: boolean,
): Suggestion[] {
  const users = usersIn(state, channel).map((user) => personOf(channel, user))
  const roles = channel.spaceId === null ? [] : rolesOf(state, channel.spaceId)
  return nearest([...users, ...roles, ...(mayAll ? everyone : [])], query)
}

/** Returns the rooms of the space that the user can see. In a conversation, returns those of all spaces. */
export function suggestRooms(state: State, spaceId: string | null, query: string): Suggestion[] {
  const rooms = Object.values(state.rooms).filter(({ type }) => type !== RoomType.Category)
  const own = rooms.filter((room) => room.space_id === spaceId)
  const listed = (spaceId === null ? rooms : own).toSorted((a, b) => a.position - b.position)
  return nearest(
    listed.map((room) => [roomSuggestion(state, room), roomName(room)] as const),
    query,
  )
}

/** Returns true if the query is a complete emoji name. */
export function isClosed(query: string): boolean {
  return query.endsWith(':')
}

/** Returns the suggestion that was typed in full, so that the user need not pick it; null if none or several match. */
export function spelledOut(suggestions: readonly Suggestion[], query: string): Suggestion | null {
  if (isClosed(query)) return suggestions[0] ?? null
  const isQuery = (name: string) => name.toLowerCase() === query.toLowerCase()
  const named = suggestions.filter(({ token }) => token !== null)
  const found = named.filter(({ text }) => isQuery(text.slice(1)))
  const users = named.filter(({ kind, detail }) => kind === 'user' && isQuery(detail))
  const [only, another] = found.length > 0 ? found : users
  return only === undefined || another !== undefined ? null : only
}

function usersIn(state: State, { id, spaceId }: OpenChannel): readonly User[] {
  const conversation = state.conversations[id]
  if (spaceId === null) return conversation?.recipients ?? []
  const known = Object.values(state.members[spaceId] ?? {}).map(({ user }) => user)
  const authors = (state.timelines[id]?.messages ?? [])
    .filter(({ webhook_id }) => webhook_id === null)
    .map(({ author }) => author)
  return [...new Map([...authors, ...known].map((user) => [user.id, user])).values()]
}

function personOf({ nameOf }: OpenChannel, user: User): readonly [Suggestion, string] {
  const name = nameOf(user)
  const suggestion: Suggestion = {
    kind: 'user',
    key: user.id,
    text: `@${name}`,
    token: `<@${user.id}>`,
    label: name,
    detail: user.username,
  }
  return [suggestion, name === user.username ? name : `${name} ${user.username}`]
}

function rolesOf(state: State, spaceId: string): Found {
  const space = state.spaces[spaceId]
  if (space === undefined) return []
  return rolesFromTop(space)
    .filter(({ id }) => id !== spaceId)
    .map(({ id, name }) => {
      const text = `@${name.replace(/^@/, '')}`
      return [{ kind: 'role', key: id, text, token: `<@&${id}>`, label: text, detail: t('Role') }, name]
    })
}

const everyone: Found = [
  [
    {
      kind: 'everyone',
      key: 'everyone',
      text: '@everyone',
      token: null,
      label: '@everyone',
      detail: t('Notify everyone who can see this'),
    },
    t('everyone here'),
  ],
]

function roomSuggestion(state: State, room: Room): Suggestion {
  const name = roomName(room)
  const category = state.rooms[room.parent_id ?? '']
  return {
    kind: 'room',
    key: room.id,
    text: `#${name}`,
    token: `<#${room.id}>`,
    label: name,
    detail: category === undefined ? '' : roomName(category),
  }
}

/** Sorts by match. Equal matches keep their order. */
function nearest(found: Found, query: string): Suggestion[] {
  return found
    .map(([suggestion, names]) => ({ suggestion, distance: nearness(names, query) }))
    .filter((entry): entry is { suggestion: Suggestion; distance: number } => entry.distance !== null)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SHOWN)
    .map(({ suggestion }) => suggestion)
}
