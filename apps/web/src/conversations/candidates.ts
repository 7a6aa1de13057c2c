import type { User } from '@foyer/protocol/users'
import type { State } from '#src/store/state.ts'
import { personName } from '#src/store/users.ts'
import { nearness } from '#src/ui/fields/found.ts'

type Known = Pick<State, 'me' | 'users' | 'friends' | 'blocks' | 'members' | 'conversations'>

export interface Candidate {
  readonly user: User
  readonly isFriend: boolean
}

/** Returns users to suggest: friends, and loaded members of conversations and spaces. */
export function candidates(state: Known, isEligible: (user: User) => boolean = () => true): Candidate[] {
  const { me, users, friends, blocks, members, conversations } = state
  const ofSpaces = Object.values(members).flatMap((known) => Object.values(known).map(({ user }) => user))
  const ofConversations = Object.values(conversations).flatMap(({ recipients }) => recipients)
  const ofFriends = Object.values(friends).map(({ user }) => user)
  const all = [...ofFriends, ...ofConversations, ...ofSpaces].map((user) => users[user.id] ?? user)
  const people = new Map(all.map((user) => [user.id, user]))
  return [...people.values()]
    .filter(({ id, deleted_at }) => id !== me?.id && deleted_at === null && !(id in blocks))
    .filter(isEligible)
    .map((user) => ({ user, isFriend: user.id in friends }))
    .sort(byName)
}

/** Returns the candidates that match the query, best match first, and friends first among equal matches. */
export function foundCandidates(all: readonly Candidate[], query: string): Candidate[] {
  const needle = query.trim().replace(/^@/, '')
  const near = ({ user }: Candidate) => {
    const found = [personName(user), user.username].map((name) => nearness(needle, name))
    return found.reduce((best, each) => (each !== null && each > (best ?? -1) ? each : best), null)
  }
  return all
    .map((candidate) => ({ candidate, near: near(candidate) }))
    .filter(({ near: distance }) => distance !== null)
    .sort((a, b) => (b.near ?? 0) - (a.near ?? 0))
    .map(({ candidate }) => candidate)
}

function byName(a: Candidate, b: Candidate): number {
  return Number(b.isFriend) - Number(a.isFriend) || personName(a.user).localeCompare(personName(b.user))
}
