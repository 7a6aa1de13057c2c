import { RoomType } from '@foyer/protocol/rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import type { Person } from '../scenes/people.ts'
import type { SpaceModel } from './space-model.ts'

/** A message that shows which clients receive the messages of a room. */
export interface Probe {
  content: string
  roomId: string
  /** True for a message in a thread or post of the room: only clients that ask for threads receive it. */
  isInThread: boolean
}

const WITH_THREADS: readonly number[] = [RoomType.Text, RoomType.Forum]
const WITHOUT_MESSAGES: readonly number[] = [RoomType.Category, RoomType.Forum]

/** Sends a message to every room, and to one thread or post of each room, which the first call creates. */
export class Prober {
  /** Ids of the threads and posts, by room. */
  readonly #threads = new Map<string, string>()

  async send({ client }: Person, { rooms }: SpaceModel, mark: string): Promise<Probe[]> {
    const direct = rooms.filter(({ type }) => !WITHOUT_MESSAGES.includes(type))
    const threaded = rooms.filter(({ type }) => WITH_THREADS.includes(type))
    const probes = [
      ...direct.map(({ id }) => ({ content: `${mark} ${id}`, roomId: id, isInThread: false })),
      ...threaded.map(({ id }) => ({ content: `${mark} in ${id}`, roomId: id, isInThread: true })),
    ]
    const requests = probes.map(({ content, roomId, isInThread }) => {
      const place = isInThread ? this.#threads.get(roomId) : roomId
      return place === undefined
        ? this.#begin(client, roomId, content)
        : client.messages.create(place, { content })
    })
    await Promise.all(requests)
    return probes
  }

  async #begin(client: Person['client'], roomId: string, content: string): Promise<void> {
    const { id } = await client.api(ThreadRooms).create(roomId, { title: 'Probes', content })
    this.#threads.set(roomId, id)
  }
}
