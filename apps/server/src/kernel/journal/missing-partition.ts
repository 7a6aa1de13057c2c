import pg from 'pg'

const CHECK_VIOLATION = '23514'

/**
 * Returns whether the journal has no partition for the event's time: the upkeep has failed for days, or a clock is
 * wrong. PostgreSQL reports it as a check violation without the name of a check.
 */
export function isPartitionMissing(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === CHECK_VIOLATION &&
    error.constraint === undefined &&
    error.table === 'events'
  )
}
