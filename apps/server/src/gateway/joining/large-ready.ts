import { setImmediate as nextTurn } from 'node:timers/promises'
import { Ready } from '@foyer/protocol/events'
import type { ReadState } from '@foyer/protocol/messages'
import { SpaceState } from '@foyer/protocol/spaces'
import type { Database } from '#src/kernel/database/database.ts'
import { encodeEvent } from '#src/kernel/database/events.ts'
import { serializerOf } from '#src/kernel/http/serialization.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { listReadStates } from '#src/messages/read-states/queries.ts'
import { listMemberships } from '#src/spaces/queries.ts'
import { listSpaceStates } from '#src/spaces/state.ts'
import { placesOf } from './ready.ts'

/** Rows of the spaces that a large READY loads at a time. A space of the largest kind has 7,000. */
const ROWS_AT_ONCE = 5000

/** A space of a READY, with the number of its rows as counted by `weightOf`. */
export interface WeightedSpace {
  readonly id: string
  readonly weight: number
}

/**
 * Makes the JSON of a large READY in pieces. It loads, encodes and drops a few spaces at a time, and yields to the event
 * loop in between.
 * @param rest everything in READY except the spaces and their read states
 */
export async function makeLargeReady(
  { bulk }: Pick<Database, 'bulk'>,
  rest: Ready,
  { spaces, forums }: { spaces: readonly WeightedSpace[]; forums: boolean },
): Promise<Buffer[]> {
  const userId = rest.user.id
  const spacePieces: Buffer[] = []
  const readPieces: Buffer[] = []
  for (const spaceIds of groupsOf(await inOrderOfJoining(bulk, userId, spaces))) {
    const states = await listSpaceStates(bulk, userId, spaceIds, { forums })
    const reads = await listReadStates(bulk, userId, states.flatMap(placesOf))
    const texts: string[] = []
    for (const state of states) {
      await nextTurn()
      texts.push(encodeSpace(state))
    }
    // One piece per group, because the compressing thread handles each piece as a separate job.
    if (texts.length > 0) append(spacePieces, texts.join(','))
    if (reads.length > 0) append(readPieces, encodeReads(reads).slice(1, -1))
  }
  return around(rest, spacePieces, readPieces)
}

const encodeSpace = (state: SpaceState) => serializerOf(SpaceState)(state)
const encodeReads = (reads: readonly ReadState[]) => serializerOf(Ready.properties.read_states)(reads)

/** Orders the spaces as `listSpaceStates` does for a smaller READY. */
async function inOrderOfJoining(
  database: Queryable,
  userId: string,
  spaces: readonly WeightedSpace[],
): Promise<WeightedSpace[]> {
  const byId = new Map(spaces.map((space) => [space.id, space]))
  const memberships = await listMemberships(database, userId, [...byId.keys()])
  return memberships.flatMap(({ space_id }) => byId.get(space_id) ?? [])
}

function groupsOf(spaces: readonly WeightedSpace[]): string[][] {
  const groups: string[][] = []
  let weight = Number.POSITIVE_INFINITY
  for (const space of spaces) {
    weight += space.weight
    if (weight <= ROWS_AT_ONCE) groups.at(-1)?.push(space.id)
    else {
      groups.push([space.id])
      weight = space.weight
    }
  }
  return groups
}

/**
 * Parts of the encoded READY at which the pieces are inserted. Text written by users cannot contain them, because its
 * quotation marks are escaped.
 */
const NO_SPACES = '"spaces":[]'
const NO_READS = '"read_states":['

function around(rest: Ready, spaces: readonly Buffer[], reads: readonly Buffer[]): Buffer[] {
  const [before = '', others = ''] = encodeEvent('READY', { ...rest, spaces: [] }).split(NO_SPACES)
  const [between = '', after = ''] = others.split(NO_READS)
  const gap = reads.length > 0 && rest.read_states.length > 0 ? ',' : ''
  return [
    Buffer.from(`${before}"spaces":[`),
    ...spaces,
    Buffer.from(`]${between}${NO_READS}`),
    ...reads,
    Buffer.from(gap + after),
  ]
}

/** Appends encoded items to a JSON list, separated from earlier items by a comma. */
function append(pieces: Buffer[], items: string): void {
  pieces.push(Buffer.from(pieces.length === 0 ? items : `,${items}`))
}
