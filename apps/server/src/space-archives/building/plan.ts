import { newId } from '#src/kernel/ids.ts'
import type { ArchivedSpace } from '../format.ts'
import { DerivedIds } from '../reading/derived-ids.ts'

/** A thread that the import will create. */
export interface PlannedThread {
  readonly id: string
  readonly roomId: string
  /** Last `seq` before the archive's messages: 1 if the thread's opening message was deleted, 0 otherwise. */
  readonly lastSeq: number
}

/** The space to build from an archive, with the new ids of its parts by their ids in the archive. */
export interface Plan {
  readonly spaceId: string
  readonly ownerId: string
  readonly space: ArchivedSpace
  readonly roles: ReadonlyMap<string, string>
  readonly rooms: ReadonlyMap<string, string>
  /** The planned threads, by their ids in the archive. */
  readonly threads: Map<string, PlannedThread>
  readonly tags: ReadonlyMap<string, string>
  /** Only emojis and stickers with a picture in the archive have new ids. */
  readonly emojis: Map<string, string>
  readonly stickers: Map<string, string>
  /** Derives the new ids of messages and their authors. */
  readonly ids: DerivedIds
}

export function planOf(space: ArchivedSpace, ownerId: string): Plan {
  const spaceId = newId()
  const [everyone, ...others] = space.roles.map(({ id }) => id)
  return {
    spaceId,
    ownerId,
    space,
    roles: new Map([[everyone ?? spaceId, spaceId], ...others.map((id) => [id, newId()] as const)]),
    rooms: new Map(space.rooms.map(({ id }) => [id, newId()])),
    threads: new Map(),
    tags: new Map(
      space.rooms.flatMap(({ forum }) => forum?.tags.map(({ id }) => [id, newId()] as const) ?? []),
    ),
    emojis: new Map(),
    stickers: new Map(),
    ids: new DerivedIds(),
  }
}

/** Returns the new id of a part. Checks of the archive have ensured that the part exists. */
export function newIdOf(ids: ReadonlyMap<string, string>, id: string): string {
  const found = ids.get(id)
  if (found === undefined) throw new Error('an archive that was checked names an unknown part')
  return found
}

export function newIdOrNull(ids: ReadonlyMap<string, string>, id: string | null): string | null {
  return id === null ? null : newIdOf(ids, id)
}
