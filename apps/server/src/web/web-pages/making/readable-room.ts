import type { Room } from '@foyer/protocol/rooms'
import type { Space } from '@foyer/protocol/spaces'
import type { Thread } from '@foyer/protocol/thread-rooms'

/** Names for the ids in messages: those of roles, and of the rooms that can be read. */
export interface SpaceNames {
  readonly roles: ReadonlyMap<string, string>
  readonly rooms: ReadonlyMap<string, string>
}

/** A room that people without an account may read, as it is listed. */
export interface ListedRoom {
  readonly space: Space
  readonly room: Room
  /** The earliest creation of a readable message, in milliseconds since 1970. */
  readonly from: number
  /** The time from which earlier messages are readable as well; undefined if they never will be, or already are. */
  readonly wholeFrom: number | undefined
  /** True if search engines may index its pages. */
  readonly isIndexed: boolean
}

/** A room that people without an account may read, as plain data: it is sent to the thread that makes pages. */
export interface ReadableRoom extends ListedRoom {
  readonly names: SpaceNames
}

export interface ReadableThread extends ReadableRoom {
  readonly thread: Thread
}

/** A space with its rooms that can be read, in their order. */
export interface ReadableSpace {
  readonly space: Space
  readonly rooms: readonly ListedRoom[]
}
