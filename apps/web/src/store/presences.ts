import type { Events } from '@foyer/protocol/events'
import type { Presence, PresenceStatus } from '@foyer/protocol/presence'
import { type State, without } from './state.ts'

export const presenceReducers = {
  STATUS_UPDATE: (state: State, { status, status_until }: Events['STATUS_UPDATE']): State => ({
    ...state,
    chosenStatus: status,
    chosenUntil: status_until,
  }),
  PRESENCE_UPDATE: (state: State, presence: Events['PRESENCE_UPDATE']): State => {
    const { user_id: id, status } = presence
    const glimpses = id in state.glimpses ? { ...state.glimpses, [id]: presence } : state.glimpses
    if (status === 'offline') return { ...state, glimpses, presences: without(state.presences, id) }
    return { ...state, glimpses, presences: { ...state.presences, [id]: presence } }
  },
}

/** Replaces the presences of the visible part of the member list. */
export function withGlimpses(state: State, presences: readonly Presence[]): State {
  return { ...state, glimpses: presencesOf(presences) }
}

/** Returns the presences by user id. */
export function presencesOf(presences: readonly Presence[]): State['presences'] {
  return Object.fromEntries(presences.map((presence) => [presence.user_id, presence]))
}

/** Returns a user's status, or undefined if the server does not send it to this client. */
export function statusOf(state: State, userId: string): PresenceStatus | undefined {
  if (sharesPresence(state, userId)) return state.presences[userId]?.status ?? 'offline'
  return state.glimpses[userId]?.status
}

/** Returns true while the user's status is "Do not disturb", which turns off notifications. */
export function isBusy(state: State): boolean {
  return state.me !== null && statusOf(state, state.me.id) === 'dnd'
}

/** Returns the status text of a user's presence, or else of their profile. */
export function statusText(state: State, user: { id: string; custom: string }): string {
  const presences = sharesPresence(state, user.id) ? state.presences : state.glimpses
  return presences[user.id]?.custom ?? (state.users[user.id]?.custom || user.custom)
}

/** The server sends the presence of the user, of friends, and of members of conversations. */
function sharesPresence(state: State, userId: string): boolean {
  if (userId === state.me?.id || userId in state.friends) return true
  return peopleOf(state.conversations).has(userId)
}

const known = new WeakMap<State['conversations'], ReadonlySet<string>>()

/** Cached per version of the conversations, because every presence mark calls it at every change of the state. */
function peopleOf(conversations: State['conversations']): ReadonlySet<string> {
  const people = known.get(conversations) ?? collectPeople(conversations)
  known.set(conversations, people)
  return people
}

function collectPeople(conversations: State['conversations']): ReadonlySet<string> {
  const people = Object.values(conversations).flatMap(({ recipients }) => recipients)
  return new Set(people.filter(({ is_bot }) => !is_bot).map(({ id }) => id))
}
