import { joined, left } from '#src/calls/actions/calls.ts'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import type { Person } from './people.ts'

/** Adds the user to the call as op 4 does, but without media. */
export async function enterCall(server: RunningServer, person: Person, id: string): Promise<void> {
  await server.deps.database.transaction(async (transaction) => {
    await transaction.query(sql`
      insert into voice_states
        (user_id, tenant_id, channel_id, session_id, login_id, host_id, self_mute, self_deaf, self_video, self_stream)
      values (${person.id}, ${id}, ${id}, ${newId()}, ${newId()}, ${newId()}, false, false, false, false)`)
    await joined(transaction, { userId: person.id, place: { tenantId: id, channelId: id } })
  })
}

/** Removes the user from the call, as at the end of a voice session. */
export async function leaveCall(
  server: RunningServer,
  person: Person,
  id: string,
  isLost = false,
): Promise<void> {
  await server.deps.database.transaction(async (transaction) => {
    await transaction.query(sql`delete from voice_states where user_id = ${person.id} and channel_id = ${id}`)
    await left(transaction, { place: { tenantId: id, channelId: id }, isLost })
  })
}
