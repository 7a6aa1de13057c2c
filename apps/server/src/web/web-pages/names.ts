import { findMentions } from '@foyer/protocol/mentions'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { SpaceSnapshot } from '#src/spaces/snapshots.ts'
import { roomPath } from './paths.ts'
import { listShownNames, type ReadableMessage } from './queries.ts'
import { readableRoom } from './readable.ts'
import type { Names } from './text.ts'
import { wordsFor } from './words.ts'

/** Returns the names for the mentions in messages, and the ids of the mentioned users. */
export async function namesFor(
  database: Queryable,
  snapshot: SpaceSnapshot,
  messages: readonly Pick<ReadableMessage, 'content'>[],
): Promise<{ names: Names; named: string[] }> {
  const named = [...new Set(messages.flatMap(({ content }) => findMentions(content).userIds))]
  const users = await listShownNames(database, snapshot.space.id, named)
  return {
    names: { words: wordsFor(snapshot.space.locale), user: (id) => users.get(id), ...namesIn(snapshot) },
    named,
  }
}

/** Returns names of roles and rooms. Rooms that cannot be read have none. */
function namesIn(snapshot: SpaceSnapshot): Pick<Names, 'role' | 'room'> {
  return {
    role: (id) => snapshot.roles.get(id)?.name,
    room: (id) => {
      const room = snapshot.rooms.get(id)
      if (room === undefined || readableRoom(snapshot, room) === undefined) return undefined
      return { name: room.name, path: roomPath(snapshot.space.id, room) }
    },
  }
}
