import type { Message } from '@foyer/protocol/messages'
import { RoomType } from '@foyer/protocol/rooms'
import { sql } from '#src/kernel/sql/sql.ts'
import type { TestServer } from '../server.ts'
import { until } from '../until.ts'
import type { Person } from './people.ts'
import { makeSpace, type TestSpace } from './spaces.ts'

/** Makes a room that other rooms can follow. */
export async function makeAnnouncementRoom({ client }: Person, spaceId: string): Promise<string> {
  const room = await client.rooms.create(spaceId, { name: 'news', type: RoomType.Text, announces: true })
  return room.id
}

export interface FollowScene {
  source: TestSpace
  /** The reader's space, with a room that can follow the announcement room. */
  target: TestSpace
  /** The announcement room of the source. */
  news: string
}

/** Makes an author's space with an announcement room, and a space of a reader who may view that room. */
export async function makeFollowScene(author: Person, reader: Person): Promise<FollowScene> {
  const source = await makeSpace(author, [reader])
  const target = await makeSpace(reader)
  return { source, target, news: await makeAnnouncementRoom(author, source.id) }
}

/** Returns a room's messages without system messages, oldest first. */
export async function listWritten({ client }: Person, roomId: string): Promise<Message[]> {
  const page = await client.messages.list(roomId, { limit: 100 })
  return page.filter(({ type }) => type === 0).reverse()
}

/** Takes the room's lease, as if another process were copying its changes, so that no process copies them. */
export async function holdCopying({ deps: { database } }: TestServer, roomId: string) {
  const hold = () =>
    database.execute(sql`
      update followed_rooms set leased_by = ${roomId}, leased_until = now() + interval '1 hour'
      where room_id = ${roomId} and leased_by is null returning room_id`)
  await until(async () => (await hold()).length > 0, 'the room was always being copied')
  const release = async () => {
    await database.execute(sql`
      update followed_rooms set leased_by = null, leased_until = null
      where room_id = ${roomId} and leased_by = ${roomId}`)
  }
  return { release, [Symbol.asyncDispose]: release }
}

/** Waits until the texts of a room are these, oldest first. */
export async function untilTexts(person: Person, roomId: string, texts: readonly string[]): Promise<void> {
  let seen: string[] = []
  const isSo = async () => {
    seen = (await listWritten(person, roomId)).map(({ content }) => content)
    return seen.length === texts.length && seen.every((text, index) => text === texts[index])
  }
  await until(isSo, `the room never had the texts ${texts.join(', ')}`)
}
