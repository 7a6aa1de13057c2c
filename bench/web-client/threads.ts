import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { withDatabase } from '../load/messages.ts'
import type { Foyer } from '../server/foyer.ts'
import { insertMessages, markRead, type Room, type Scene, signIn } from './scene.ts'

const THREADS = 5
/** Number of messages per thread: as many as a room shows at first. */
const PAGE = 50

/**
 * Starts threads in the room with a long history. The reader follows these threads. Marks the threads and all rooms as
 * read, because earlier measurements may have left new messages there.
 */
export async function startThreads(foyer: Foyer, { writer, long, short }: Scene): Promise<Room[]> {
  const { client } = await signIn(foyer)
  const threads: Room[] = []
  for (let number = 1; number <= THREADS; number += 1) {
    const name = `thread-${number}`
    const { id } = await client.api(ThreadRooms).create(long.id, { title: name })
    threads.push({ id, name })
  }
  const place = { spaceId: writer.spaceId, parentId: long.id, count: PAGE }
  await withDatabase(foyer, async (database) => {
    for (const { id } of threads) await insertMessages(database, { ...place, roomId: id })
  })
  await markRead(client, [long, ...short, ...threads])
  return threads
}
