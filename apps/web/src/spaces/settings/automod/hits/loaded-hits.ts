import type { AutomodHit, AutomodHitPage } from '@foyer/protocol/automod'
import { MAX_PAGE } from '@foyer/protocol/limits'
import type { User } from '@foyer/protocol/users'

/** The part of the hits that is loaded. */
export interface LoadedHits {
  /** Newest first. */
  readonly hits: readonly AutomodHit[]
  readonly users: Readonly<Record<string, User>>
  /** True if there are no older hits. */
  readonly isComplete: boolean
}

export const noHits: LoadedHits = { hits: [], users: {}, isComplete: false }

/** Adds the next page. */
export function withHits(loaded: LoadedHits, { hits, users }: AutomodHitPage, limit = MAX_PAGE): LoadedHits {
  const known = new Set(loaded.hits.map(({ id }) => id))
  return {
    hits: [...loaded.hits, ...hits.filter(({ id }) => !known.has(id))],
    users: { ...loaded.users, ...Object.fromEntries(users.map((user) => [user.id, user])) },
    isComplete: hits.length < limit,
  }
}
