import type { Room } from '@foyer/protocol/rooms'

/** The parts of a snapshot that add to its weight. */
interface Weighed {
  readonly rooms: ReadonlyMap<string, Room>
  readonly roles: ReadonlyMap<string, unknown>
  readonly overwrites: ReadonlyMap<string, readonly unknown[]>
  readonly imageCount: number
}

const weights = new WeakMap<Weighed, number>()

/**
 * Returns the weight of a snapshot in rows: overwrites, roles, emojis and stickers. Rooms count twice, because they are long
 * and have read states. Forums also count by their texts and tags.
 */
export function weightOf(snapshot: Weighed | undefined): number {
  if (snapshot === undefined) return 1
  const known = weights.get(snapshot)
  if (known !== undefined) return known
  const { rooms, roles, overwrites, imageCount } = snapshot
  const weight = [...overwrites.values()].reduce(
    (sum, { length }) => sum + length,
    1 + 2 * rooms.size + roles.size + imageCount + sumOf([...rooms.values()].map(weightOfForum)),
  )
  weights.set(snapshot, weight)
  return weight
}

/** Characters of a forum's texts that count as a row. */
const CHARACTERS_PER_ROW = 400

function weightOfForum({ forum }: Room): number {
  if (forum === undefined) return 0
  const characters = (forum.guidelines ?? '').length + (forum.template ?? '').length
  return Math.ceil(characters / CHARACTERS_PER_ROW) + forum.tags.length
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
