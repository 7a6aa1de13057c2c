import type { Events } from '@foyer/protocol/events'
import { UserFlag } from '@foyer/protocol/user-flags'
import type { User } from '@foyer/protocol/users'
import { t } from '#src/language/texts.ts'
import type { State } from './state.ts'

export const userReducers = {
  USER_UPDATE: (state: State, user: Events['USER_UPDATE']): State => {
    const known = withUsers(state, [user])
    return state.me?.id === user.id ? { ...known, me: { ...state.me, ...user } } : known
  },
}

/** Returns the display name of a user outside of spaces. */
export function personName({ alias, username, deleted_at }: User): string {
  return deleted_at === null ? (alias ?? username) : t('Deleted account')
}

/** Returns true for a person who runs the server. */
export function isOperator({ flags }: Pick<User, 'flags'>): boolean {
  return (flags & UserFlag.Staff) !== 0
}

/** Adds or updates users. Returns the same state if nothing changed. */
export function withUsers(state: State, users: readonly User[]): State {
  const fresh = users.filter((user) => isNewer(state.users[user.id], user))
  if (fresh.length === 0) return state
  return { ...state, users: { ...state.users, ...Object.fromEntries(fresh.map((user) => [user.id, user])) } }
}

/** A message can contain older data of its author than an update received before. */
function isNewer(known: User | undefined, user: User): boolean {
  return known === undefined || known.updated_at < user.updated_at
}
