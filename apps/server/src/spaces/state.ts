import type { Member } from '@foyer/protocol/members'
import type { Role, RoomOverwrite } from '@foyer/protocol/roles'
import type { Room } from '@foyer/protocol/rooms'
import type { SpaceImage } from '@foyer/protocol/space-images'
import type { Space, SpaceState } from '@foyer/protocol/spaces'
import type { VoiceState } from '@foyer/protocol/voice'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import {
  countMembers,
  findSpaces,
  listMemberships,
  listOverwrites,
  listRoles,
  listRooms,
  listSpaceImages,
  type SpaceImageKind,
} from './queries.ts'
import { makeSnapshot, type RankedMember, type SpaceSnapshot, visibleRooms } from './snapshots.ts'
import { listVoiceStates } from './voice-states.ts'

/**
 * Returns spaces as their member may see them, for READY and SPACE_CREATE. Always runs nine queries, for any number of
 * spaces.
 * @param spaceIds spaces to load; null for all spaces of the user
 * @param forums false omits forums, for clients that do not know them
 */
export async function listSpaceStates(
  database: Queryable,
  userId: string,
  spaceIds: readonly string[] | null,
  { forums }: { forums: boolean },
): Promise<SpaceState[]> {
  const ids = spaceIds ?? (await listMemberships(database, userId)).map((member) => member.space_id)
  // Overwrites are read first: a room, role or member that is deleted in between must not be seen without the
  // overwrites that hid rooms.
  const overwrites = await listOverwrites(database, ids)
  const [memberships, counts, spaces, rooms, roles, images, voices] = await Promise.all([
    listMemberships(database, userId, ids),
    countMembers(database, ids),
    findSpaces(database, ids),
    listRooms(database, ids),
    listRoles(database, ids),
    listSpaceImages(database, ids),
    listVoiceStates(database, ids),
  ])
  const snapshots = makeSnapshots(spaces, { rooms, roles, overwrites })
  const surroundingsOf = groupSurroundings({ counts, images, voices })
  return memberships.flatMap((member) => {
    const snapshot = snapshots.get(member.space_id)
    return snapshot === undefined
      ? []
      : [stateOf({ snapshot, subject: { ...member, hidesForums: !forums } }, surroundingsOf(member))]
  })
}

/** A space, and the member data that decides about a user's rights there, both as of the same moment. */
export interface KnownSpace {
  readonly snapshot: SpaceSnapshot
  readonly member: RankedMember
}

/**
 * Like `listSpaceStates`, but for spaces whose snapshots are known, in the order in which the user joined them. Runs only
 * the four queries for what snapshots lack. The last messages of the rooms are those of the snapshots, and may be outdated.
 */
export async function completeSpaceStates(
  database: Queryable,
  userId: string,
  known: readonly KnownSpace[],
): Promise<SpaceState[]> {
  const spaces = new Map(known.map((space) => [space.snapshot.space.id, space]))
  const ids = [...spaces.keys()]
  const withImages = known.filter(({ snapshot }) => snapshot.imageCount > 0)
  const [memberships, counts, images, voices] = await Promise.all([
    listMemberships(database, userId, ids),
    countMembers(database, ids),
    withImages.length === 0
      ? []
      : listSpaceImages(
          database,
          withImages.map(({ snapshot }) => snapshot.space.id),
        ),
    listVoiceStates(database, ids),
  ])
  const surroundingsOf = groupSurroundings({ counts, images, voices })
  return memberships.flatMap((member) => {
    const space = spaces.get(member.space_id)
    if (space === undefined) return []
    return [stateOf({ snapshot: space.snapshot, subject: space.member }, surroundingsOf(member))]
  })
}

interface Parts {
  rooms: readonly Room[]
  roles: readonly Role[]
  overwrites: readonly (RoomOverwrite & { space_id: string })[]
}

function makeSnapshots(
  spaces: readonly Space[],
  { rooms, roles, overwrites }: Parts,
): ReadonlyMap<string, SpaceSnapshot> {
  const roomsOf = Map.groupBy(rooms, (room) => room.space_id)
  const rolesOf = Map.groupBy(roles, (role) => role.space_id)
  const overwritesOf = Map.groupBy(overwrites, (overwrite) => overwrite.space_id)
  const entries = spaces.map((space) => {
    const parts = {
      rooms: roomsOf.get(space.id) ?? [],
      roles: rolesOf.get(space.id) ?? [],
      overwrites: overwritesOf.get(space.id) ?? [],
      imageCount: 0,
    }
    return [space.id, makeSnapshot(space, parts)] as const
  })
  return new Map(entries)
}

interface AllSurroundings {
  counts: readonly { id: string; member_count: number }[]
  images: readonly (SpaceImage & { kind: SpaceImageKind })[]
  voices: readonly VoiceState[]
}

/** Returns a lookup of the member count, images and voice states of a member's space. */
function groupSurroundings({ counts, images, voices }: AllSurroundings): (member: Member) => Surroundings {
  const countOf = new Map(counts.map(({ id, member_count }) => [id, member_count]))
  const imagesOf = Map.groupBy(images, (image) => image.space_id)
  const voicesOf = Map.groupBy(voices, (voice) => voice.space_id)
  return (member) => ({
    member,
    memberCount: countOf.get(member.space_id) ?? 0,
    images: imagesOf.get(member.space_id) ?? [],
    voices: voicesOf.get(member.space_id) ?? [],
  })
}

interface Surroundings {
  member: Member
  memberCount: number
  images: readonly (SpaceImage & { kind: SpaceImageKind })[]
  voices: readonly VoiceState[]
}

/** @param subject decides which rooms are visible */
function stateOf(
  { snapshot, subject }: { snapshot: SpaceSnapshot; subject: RankedMember },
  { member, memberCount, images, voices }: Surroundings,
): SpaceState {
  const rooms = visibleRooms(snapshot, subject)
  const shown = new Set<string | null>(rooms.map(({ id }) => id))
  return {
    ...snapshot.space,
    rooms,
    overwrites: rooms.flatMap((room) => snapshot.overwrites.get(room.id) ?? []),
    roles: [...snapshot.roles.values()],
    emojis: images.filter(({ kind }) => kind === 'emoji'),
    stickers: images.filter(({ kind }) => kind === 'sticker'),
    member,
    member_count: memberCount,
    voice_states: voices.filter(({ room_id }) => shown.has(room_id)),
  }
}
