import type { Events } from '@foyer/protocol/events'
import type { User } from '@foyer/protocol/users'
import { t } from '#src/language/texts.ts'
import type { State } from './state.ts'

export const userReducers = {
  USER_UPDATE: (state: State, user: Events['USER_UPDATE']): State => {
    const known = withUsers(state, [user])
    return state.me?.id === user.id ? { ...known, me: { ...state.me, ...user } } : known
  },
}

/** What somebody is called where no space gives them another name. */
export function personName({ alias, username, deleted_at }: User): string {
  return deleted_at === null ? (alias ?? username) : t('Deleted account')
}

/** The state knowing these users; the state itself when it knew them as they are. */
export function withUsers(state: State, users: readonly User[]): State {
  const fresh = users.filter((user) => isNews(state.users[user.id], user))
  if (fresh.length === 0) return state
  return { ...state, users: { ...state.users, ...Object.fromEntries(fresh.map((user) => [user.id, user])) } }
}

/** An old message carries its author as they were known when it was answered, never newer than an update. */
function isNews(known: User | undefined, user: User): boolean {
  return known === undefined || known.updated_at < user.updated_at
}
