import pg from 'pg'

const CHECK_VIOLATION = '23514'

/**
 * Whether the journal has no partition for an event's time: upkeep has failed for days, or a clock is wrong. PostgreSQL says
 * it with the code of a check, but names none.
 */
export function isPartitionMissing(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === CHECK_VIOLATION &&
    error.constraint === undefined &&
    error.table === 'events'
  )
}
