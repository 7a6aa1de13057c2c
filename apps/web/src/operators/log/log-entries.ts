import type { OperatorLogEntry, OperatorLogPage } from '@foyer/protocol/operators'
import type { User } from '@foyer/protocol/users'

/** An entry with its users, some of whom the store does not know. */
export interface NamedEntry {
  readonly entry: OperatorLogEntry
  /** Undefined for the command line. */
  readonly actor: User | undefined
  /** Undefined if the target is not an account. */
  readonly target: User | undefined
}

export function namedEntries({ entries, users }: OperatorLogPage): NamedEntry[] {
  const userOf = (id: string | null) => users.find((user) => user.id === id)
  return entries.map((entry) => ({
    entry,
    actor: userOf(entry.actor_id),
    target: entry.target_type === 'user' ? userOf(entry.target_id) : undefined,
  }))
}
