import { MAX_SPACES } from '@foyer/protocol/limits'
import type { UserStatus } from '@foyer/protocol/presence'
import { type Choice, combine, type HeldChoice, type VersionedChoice, withChosen } from './choices.ts'

/** A client's connection that makes its user present. */
export interface PresentConnection {
  readonly id: string
  /** The user's spaces, updated while the connection is open. */
  readonly spaces: ReadonlySet<string>
}

/** A user with connections to this process, or who had some a moment ago. */
export interface PresentUser {
  readonly connections: Map<PresentConnection, HeldChoice>
  /** Status chosen for all devices. Undefined until it is read: the user is offline until then. */
  chosen: UserStatus | undefined
  /** Identifies the latest read of `chosen`. A change that arrives during the read invalidates it. */
  reading: object | undefined
  /** Choice of the last connection that closed. Used until the user is back, or has been disconnected for too long. */
  away: HeldChoice | undefined
  /** Latest known presence over all processes. */
  versioned: VersionedChoice
  /** Last result of combining this process's connections. */
  held: Choice | undefined
  /** True while a write is due; `origin` is the connection that caused it. */
  isDue: boolean
  /** Publishes even without a visible change, because other processes may have received a different state. */
  isForced: boolean
  origin: string | undefined
  writing: Promise<void> | undefined
}

export const UNKNOWN: VersionedChoice = { version: 0, choice: undefined }

export function newUser(): PresentUser {
  return {
    connections: new Map(),
    chosen: undefined,
    reading: undefined,
    away: undefined,
    versioned: UNKNOWN,
    held: undefined,
    isDue: false,
    isForced: false,
    origin: undefined,
    writing: undefined,
  }
}

/** Combines the statuses of the user's connections to this process with the chosen status. */
export function heldBy({ away, connections, chosen }: PresentUser): HeldChoice | undefined {
  // An invisible user must not appear online while their choice is being read.
  return chosen === undefined ? undefined : withChosen(away ?? combine(connections.values()), chosen.status)
}

export function versionedOf({ version, choice }: VersionedChoice): VersionedChoice {
  return { version, choice }
}

/**
 * Returns the user's spaces. Undefined for bots in very many spaces, and for disconnected users, who may have joined
 * another space.
 */
export function spacesOf({ connections }: PresentUser): string[] | undefined {
  const [connection] = connections.keys()
  return connection === undefined || connection.spaces.size > MAX_SPACES ? undefined : [...connection.spaces]
}
