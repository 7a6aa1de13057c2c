import type { ChosenStatus, Presence } from '@foyer/protocol/presence'

/** A status as chosen by a user. */
export interface Choice {
  readonly status: ChosenStatus
  readonly custom: string | null
}

/** The choice of a connection, or of all of a user's connections to one process. */
export interface HeldChoice extends Choice {
  /** True if the connection was lost, and may return within a moment. */
  readonly isAway: boolean
}

/** The presence of a user from a version on. Without a choice, the user is offline. */
export interface VersionedChoice {
  readonly version: number
  readonly choice: Choice | undefined
}

/**
 * A chosen status takes precedence over an automatic one, and invisible over all: a user who hides on one device must not be
 * seen because of another.
 */
const PRECEDENCE: readonly ChosenStatus[] = ['invisible', 'dnd', 'online', 'idle']

/** Combines the choices of a user's connections. Closed connections are used only if no other is left. */
export function combine(choices: Iterable<HeldChoice>): HeldChoice | undefined {
  let combined: HeldChoice | undefined
  for (const choice of choices) if (combined === undefined || precedes(choice, combined)) combined = choice
  return combined
}

/**
 * Combines the status that the user chose for all devices with the status of the connections. The one that hides more
 * applies; a chosen `idle` replaces `online`.
 */
export function withChosen<Held extends Choice>(
  held: Held | undefined,
  chosen: ChosenStatus,
): Held | undefined {
  if (held === undefined || chosen === 'online') return held
  const isOverruled =
    chosen === 'idle'
      ? held.status === 'online'
      : PRECEDENCE.indexOf(chosen) < PRECEDENCE.indexOf(held.status)
  return isOverruled ? { ...held, status: chosen } : held
}

export function isSame(one: Choice | undefined, other: Choice | undefined): boolean {
  return one?.status === other?.status && one?.custom === other?.custom
}

/** Returns the presence for the user's own connections. */
export function ownPresence(userId: string, choice: Choice | undefined): Presence {
  return { user_id: userId, status: choice?.status ?? 'offline', custom: choice?.custom ?? null }
}

/** Returns the presence for everyone else; undefined if the user appears offline. */
export function publicPresence(userId: string, choice: Choice | undefined): Presence | undefined {
  if (choice === undefined || choice.status === 'invisible') return undefined
  return { user_id: userId, status: choice.status, custom: choice.custom }
}

function precedes(one: HeldChoice, other: HeldChoice): boolean {
  if (one.isAway !== other.isAway) return other.isAway
  const difference = PRECEDENCE.indexOf(one.status) - PRECEDENCE.indexOf(other.status)
  if (difference !== 0) return difference < 0
  // Compares the texts, so that the result does not depend on the order of choices.
  return (one.custom ?? '') > (other.custom ?? '')
}
