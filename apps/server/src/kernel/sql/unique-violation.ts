import pg from 'pg'

const UNIQUE_VIOLATION = '23505'

/** Returns whether a write failed because the unique index already has the value. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === index
}
