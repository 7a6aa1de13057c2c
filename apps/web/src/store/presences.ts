import type { Events } from '@foyer/protocol/events'
import type { Presence, PresenceStatus } from '@foyer/protocol/presence'
import { type State, without } from './state.ts'

export const presenceReducers = {
  PRESENCE_UPDATE: (state: State, presence: Events['PRESENCE_UPDATE']): State => {
    const { user_id: id, status } = presence
    const glimpses = id in state.glimpses ? { ...state.glimpses, [id]: presence } : state.glimpses
    if (status === 'offline') return { ...state, glimpses, presences: without(state.presences, id) }
    return { ...state, glimpses, presences: { ...state.presences, [id]: presence } }
  },
}

/** The state in which the list of members shows exactly these. */
export function withGlimpses(state: State, presences: readonly Presence[]): State {
  return { ...state, glimpses: presencesOf(presences) }
}

/** Who is not offline, of those of whom it is told. */
export function presencesOf(told: readonly Presence[]): State['presences'] {
  return Object.fromEntries(told.map((presence) => [presence.user_id, presence]))
}

/** How somebody is seen, or undefined where nothing would be told of them. */
export function statusOf(state: State, userId: string): PresenceStatus | undefined {
  if (isTold(state, userId)) return state.presences[userId]?.status ?? 'offline'
  return state.glimpses[userId]?.status
}

/** What somebody says of themselves: of this presence, or else always. */
export function statusText(state: State, user: { id: string; custom: string }): string {
  const presences = isTold(state, user.id) ? state.presences : state.glimpses
  return presences[user.id]?.custom ?? (state.users[user.id]?.custom || user.custom)
}

/** Presence is told to oneself, among friends, and in conversations. */
function isTold(state: State, userId: string): boolean {
  if (userId === state.me?.id || userId in state.friends) return true
  return peopleOf(state.conversations).has(userId)
}

const known = new WeakMap<State['conversations'], ReadonlySet<string>>()

/** Asked for every mark at every change of the state: gathered once for each change of the conversations. */
function peopleOf(conversations: State['conversations']): ReadonlySet<string> {
  const people = known.get(conversations) ?? gather(conversations)
  known.set(conversations, people)
  return people
}

function gather(conversations: State['conversations']): ReadonlySet<string> {
  const people = Object.values(conversations).flatMap(({ recipients }) => recipients)
  return new Set(people.filter(({ is_bot }) => !is_bot).map(({ id }) => id))
}
