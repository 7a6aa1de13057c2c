import type { RankedMember } from '#src/spaces/snapshots.ts'
import type { Connection } from './connection.ts'

/** Returns the member as one who sees what the connection's client knows. */
export function seenBy(connection: Pick<Connection, 'hasForums'>, member: RankedMember): RankedMember {
  return connection.hasForums ? member : { ...member, hidesForums: true }
}
