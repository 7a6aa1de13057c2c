import { createHmac, randomBytes } from 'node:crypto'
import { idTime } from '#src/kernel/ids.ts'

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/

/**
 * Derives the ids of imported objects from the ids in the archive. The new ids keep the time and the order of the old ones.
 * Their other 62 bits depend on a key of this import: no one can choose them, two imports have no ids in common, and the new
 * id of a referenced message can be computed without a table.
 */
export class DerivedIds {
  readonly #key = randomBytes(32)

  /** @param scope further input of the id, such as the room */
  of(scope: string, id: string): string {
    const tail = createHmac('sha256', this.#key).update(`${scope} ${id}`).digest().subarray(0, 8)
    tail.writeUInt8((tail.readUInt8(0) & 0x3f) | 0x80, 0)
    const digits = tail.toString('hex')
    return `${id.slice(0, 18)}-${digits.slice(0, 4)}-${digits.slice(4)}`
  }
}

/** Returns true for an id of version 7 whose time has passed. */
export function isPastId(id: string, now: number): boolean {
  return VERSION_7.test(id) && idTime(id) <= now
}
