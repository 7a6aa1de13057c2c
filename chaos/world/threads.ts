import type { Dice } from '../random.ts'
import type { Channel } from './tenant.ts'

/** A room in which threads are begun. */
export interface ThreadedRoom {
  id: string
  spaceId: string
  isForum: boolean
  /** Tags of a forum that are never deleted. */
  tags: readonly string[]
}

/** A thread whose creation was answered. */
export interface KnownThread {
  id: string
  room: ThreadedRoom
  creatorId: string
  /** Time of the request, on the clock of the run. */
  begunAt: number
  /** True once a request to close the thread was sent: writing may be refused from then on. */
  wasClosed: boolean
}

/** Number of newest threads per room that users write in. */
const BUSY = 12

/** The threads of a run. Each title contains a number that identifies its request. */
export class Threads {
  readonly #byRoom = new Map<string, KnownThread[]>()
  readonly #byId = new Map<string, KnownThread>()
  readonly #titles: number[] = []
  readonly #forums = new Set<string>()
  /** Threads whose deletion was requested, and those of deleted rooms. */
  readonly #doomed = new Set<string>()
  /** Threads whose merge was requested, each with its target. */
  readonly #merges = new Map<string, string>()
  /** Threads that are the target of requested moves or merges: not all sequence numbers in them are known. */
  readonly #receiving = new Set<string>()

  /** Records a forum. Must be called before anything is written in it. */
  addForum(roomId: string): void {
    this.#forums.add(roomId)
  }

  isForum(roomId: string): boolean {
    return this.#forums.has(roomId)
  }

  /** @returns a title that no other request has */
  newTitle(): string {
    return `Thread ${this.#titles.push(performance.now()) - 1}`
  }

  /** Returns the time at which the request that gave this title began. */
  titledAt(title: string): number | undefined {
    return this.#titles[Number(/^Thread (\d+)$/.exec(title)?.[1])]
  }

  add(thread: KnownThread): void {
    this.#byId.set(thread.id, thread)
    const there = this.#byRoom.get(thread.room.id) ?? []
    this.#byRoom.set(thread.room.id, [...there, thread])
  }

  get(id: string): KnownThread | undefined {
    return this.#byId.get(id)
  }

  get count(): number {
    return this.#byId.size
  }

  /** Returns the threads of a room whose deletion or merge was not requested, in the order of their creation. */
  standing(roomId: string): readonly KnownThread[] {
    return (this.#byRoom.get(roomId) ?? []).filter(({ id }) => !this.isLeaving(id))
  }

  pickBusy(roomId: string, dice: Dice): KnownThread | undefined {
    return dice.pick(this.standing(roomId).slice(-BUSY))
  }

  doom(id: string): void {
    this.#doomed.add(id)
  }

  doomAll(roomId: string): void {
    for (const { id } of this.#byRoom.get(roomId) ?? []) this.doom(id)
  }

  merge(from: string, into: string): void {
    this.#merges.set(from, into)
    this.#receiving.add(into)
  }

  receive(id: string): void {
    this.#receiving.add(id)
  }

  /** True once the deletion or merge of the thread was requested. */
  isLeaving(id: string): boolean {
    return this.#doomed.has(id) || this.#merges.has(id)
  }

  isDoomed(id: string): boolean {
    return this.#doomed.has(id)
  }

  hasReceived(id: string): boolean {
    return this.#receiving.has(id)
  }

  /** Returns the channel and all threads into which its messages may have been merged. */
  homesFrom(channelId: string): string[] {
    const into = this.#merges.get(channelId)
    return into === undefined ? [channelId] : [channelId, ...this.homesFrom(into)]
  }
}

/** Returns a thread as a channel, addressed like a room. Its weight of 0 keeps it from being chosen among rooms. */
export function threadChannel(id: string): Channel {
  return { id, address: id, weight: 0 }
}
