import type { RankedMember } from '#src/spaces/snapshots.ts'
import type { Connection } from './connection.ts'

/** Returns the member with forums hidden, if the connection's client did not ask for forums. */
export function seenBy(connection: Pick<Connection, 'hasForums'>, member: RankedMember): RankedMember {
  return connection.hasForums ? member : { ...member, hidesForums: true }
}
