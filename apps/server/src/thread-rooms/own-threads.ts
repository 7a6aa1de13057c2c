import type { OwnThread } from '@foyer/protocol/thread-rooms'
import { placeOfThread } from '#src/channels/place.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { ownStatesOf } from './actions/follows.ts'
import type { ThreadRow } from './queries.ts'

/** Adds the caller's follow and read state to threads. */
export async function withOwn(
  database: Queryable,
  caller: Caller,
  rows: readonly ThreadRow[],
): Promise<OwnThread[]> {
  const states = await ownStatesOf(database, caller.user.id, rows.map(placeOfThread))
  return rows.flatMap((row, index) => {
    const own = states[index]
    return own === undefined ? [] : [{ ...row, own }]
  })
}
