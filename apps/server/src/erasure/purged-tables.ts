import { tableSpread } from '#src/kernel/database/table-spread.ts'
import { Fragment } from '#src/kernel/sql/sql.ts'

/** Tables of tenants that the purge of a space skips, with the reason why nothing remains in them. */
export const sweptElsewhere: Readonly<Record<string, string>> = {
  spaces: 'the last row that goes',
  conversations: 'not of spaces',
  conversation_members: 'not of spaces',
  calls: 'only of conversations',
  attachments: 'marked deleted first; the sweep of files deletes each row after its object',
  storage_buckets: 'with their credentials until they are empty; then the sweep of files deletes them',
  events: 'the journal goes by partitions, long before',
}

/** Deleted first, so that nothing indexes a message whose search marks are missing. */
const FIRST = ['messages', 'message_heads']

export interface PurgedTable {
  readonly name: string
  readonly table: Fragment
  /** The column with the space's id. */
  readonly column: Fragment
}

/**
 * All other tables with a tenant, from the list of all tables, so that a new table is purged automatically. The list
 * has referenced tables first, so its order is reversed.
 */
export const purgedTables: readonly PurgedTable[] = Object.entries(tableSpread)
  .toReversed()
  .flatMap(([name, spread]) =>
    spread.by !== 'tenant' || name in sweptElsewhere
      ? []
      : [{ name, table: new Fragment(name), column: new Fragment(spread.column) }],
  )
  .toSorted((one, other) => Number(FIRST.includes(other.name)) - Number(FIRST.includes(one.name)))
