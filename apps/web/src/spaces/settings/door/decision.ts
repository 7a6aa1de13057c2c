import type { DecidedNewcomers, Newcomer } from '@foyer/protocol/door'
import { MAX_DECIDED_NEWCOMERS } from '@foyer/protocol/limits'
import { ApiError } from '@foyer/sdk/rest'
import { isNamed } from '#src/members/matching.ts'

/** Returns the newcomers with a name that contains the query. */
export function matchingNewcomers(newcomers: readonly Newcomer[], query: string): Newcomer[] {
  return newcomers.filter(({ user: { alias, username } }) =>
    [alias, username].some((name) => name !== null && isNamed(name, query)),
  )
}

export function waitingIdsOf(newcomers: readonly Newcomer[]): string[] {
  return newcomers.filter(({ has_left }) => !has_left).map(({ user }) => user.id)
}

export function idsOf(newcomers: readonly Newcomer[]): string[] {
  return newcomers.map(({ user }) => user.id)
}

/**
 * Sends a decision on many newcomers in several requests, because one request can name only `MAX_DECIDED_NEWCOMERS`.
 * Newcomers on whom another moderator has already decided cause no error.
 */
export async function decideOn(
  userIds: readonly string[],
  decide: (userIds: string[]) => Promise<DecidedNewcomers>,
): Promise<void> {
  for (let first = 0; first < userIds.length; first += MAX_DECIDED_NEWCOMERS)
    await unlessDecided(decide(userIds.slice(first, first + MAX_DECIDED_NEWCOMERS)))
}

/** Waits for the request. Ignores the error that means that all its newcomers were already decided on. */
export async function unlessDecided(request: Promise<unknown>): Promise<void> {
  try {
    await request
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'unknown_newcomer')) throw error
  }
}
