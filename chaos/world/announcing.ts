import { RoomType } from '@foyer/protocol/rooms'
import type { Sights } from './sight.ts'
import type { Channel, Person } from './tenant.ts'

/** A follow of an announcement room, with the times of its request and of the answer, on the clock of the run. */
export interface Follow {
  /** The user who creates and deletes the follow. */
  person: Person
  webhookId: string
  source: Channel
  targetId: string
  /** Time of the request. Messages that were acknowledged before are not copied. */
  askedAt: number
  /** Time of the answer. Messages that were begun after it are copied. */
  answeredAt: number
}

/** Announcement rooms, and rooms that follow them. No client of the run is a member of their spaces. */
export interface Announcing {
  author: Person
  rooms: readonly Channel[]
  /** Ids of rooms whose only messages are copies. */
  targets: readonly string[]
  /** Follows whose end was not requested. */
  follows: Follow[]
}

/** Creates two announcement rooms, which a room of the same space and two rooms of another space follow. */
export async function openAnnouncing(author: Person, reader: Person, sights: Sights): Promise<Announcing> {
  const { space, rooms } = await author.client.spaces.create({ name: 'Announcements' })
  const first = await openSource(author, space.id)
  const second = await openSource(author, space.id)
  const [general] = rooms
  if (general === undefined) throw new Error('a new space has no room')
  const { code } = await author.client.invites.create(space.id, general.id, { max_age: 0 })
  await reader.client.invites.join(code)
  const other = await reader.client.spaces.create({ name: 'Followers' })
  const near = await openTarget(author, space.id)
  const [far, both] = [await openTarget(reader, other.space.id), await openTarget(reader, other.space.id)]
  for (const { id } of [first, second]) sights.set(author.id, id, 'yes')
  const follows = [
    await follow(author, first, near),
    await follow(reader, first, far),
    await follow(reader, first, both),
    await follow(reader, second, both),
  ]
  return { author, rooms: [first, second], targets: [near, far, both], follows }
}

async function openSource({ client }: Person, spaceId: string): Promise<Channel> {
  const room = await client.rooms.create(spaceId, { name: 'news', type: RoomType.Text, announces: true })
  return { id: room.id, address: room.id, weight: 1 }
}

async function openTarget({ client }: Person, spaceId: string): Promise<string> {
  const room = await client.rooms.create(spaceId, { name: 'copies', type: RoomType.Text })
  return room.id
}

async function follow(person: Person, source: Channel, targetId: string): Promise<Follow> {
  const askedAt = performance.now()
  const { id } = await person.client.rooms.follow(source.id, targetId)
  return { person, webhookId: id, source, targetId, askedAt, answeredAt: performance.now() }
}
