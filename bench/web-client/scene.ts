import { RoomType } from '@foyer/protocol/rooms'
import { Client } from '@foyer/sdk/client'
import type { Tokens } from '@foyer/sdk/rest'
import type { Database } from '../../apps/server/src/kernel/database/database.ts'
import { sql } from '../../apps/server/src/kernel/sql/sql.ts'
import { type Account, signUp } from '../load/accounts.ts'
import { inGroups } from '../load/groups.ts'
import { withDatabase } from '../load/messages.ts'
import type { Foyer } from '../server/foyer.ts'

export interface SceneSize {
  /** Includes the rooms of a new space. */
  rooms: number
  members: number
  /** Messages of the room with a long history. */
  history: number
}

export interface Room {
  readonly id: string
  readonly name: string
}

/** A space with many rooms and members, one of whom opens it in a browser. */
export interface Scene {
  readonly writer: Account
  /** The room with a long history. */
  readonly long: Room
  /** Rooms with one page of messages each. */
  readonly short: readonly Room[]
  /** Signs in again, because a refresh token can only be used once. */
  signIn(): Promise<Tokens>
}

const SHORT_ROOMS = 10
const PAGE = 50
const ROWS_AT_ONCE = 10_000
const CREATED_AT_ONCE = 4
const AUTHORS = 20
const READER = { email: 'reader@example.org', password: 'correct horse battery staple' }

export async function makeScene(foyer: Foyer, size: SceneSize): Promise<Scene> {
  const [writer] = await signUp(foyer.port, 1)
  if (writer === undefined) throw new Error('nobody writes')
  const { client, spaceId } = writer
  const { length: there } = await client.rooms.list(spaceId)
  const numbers = Array.from({ length: size.rooms - there }, (_, index) => index + 1)
  const rooms = await inGroups(numbers, CREATED_AT_ONCE, (number) =>
    client.rooms.create(spaceId, { name: `room-${number}`, type: RoomType.Text }),
  )
  const [long, ...others] = rooms
  if (long === undefined) throw new Error('there are no rooms')
  const short = others.slice(0, SHORT_ROOMS)
  await withDatabase(foyer, async (database) => {
    await insertMembers(database, spaceId, size.members)
    await insertMessages(database, { spaceId, roomId: long.id, count: size.history })
    for (const { id } of short) await insertMessages(database, { spaceId, roomId: id, count: PAGE })
    await database.execute({ name: '', text: 'analyze', values: [] })
  })
  await joinAndRead(foyer, writer, [long, ...short])
  return { writer, long, short, signIn: async () => (await signIn(foyer)).tokens }
}

async function insertMembers(database: Database, spaceId: string, count: number): Promise<void> {
  for (let from = 1; from <= count; from += ROWS_AT_ONCE) {
    const to = Math.min(count, from + ROWS_AT_ONCE - 1)
    await database.execute(sql`
      with people as (
        insert into users (id, username)
        select gen_random_uuid(), 'member_' || number from generate_series(${from}::bigint, ${to}::bigint) as number
        returning id
      )
      insert into members (space_id, user_id) select ${spaceId}, id from people`)
  }
  await database.execute(sql`
    update spaces set member_count = (select count(*) from members where space_id = spaces.id)`)
}

interface History {
  spaceId: string
  /** A room or a thread. */
  roomId: string
  /** The thread's room; undefined for a room. */
  parentId?: string
  count: number
}

/** Inserts texts as people write them, some with Markdown. Ids of version 7 are in the order of seq, a minute apart. */
export async function insertMessages(
  database: Database,
  { spaceId, roomId, parentId, count }: History,
): Promise<void> {
  for (let from = 1; from <= count; from += ROWS_AT_ONCE) {
    const to = Math.min(count, from + ROWS_AT_ONCE - 1)
    await database.execute(sql`
      with author as (
        select array_agg(user_id) as ids
        from (select user_id from members where space_id = ${spaceId} order by user_id limit ${AUTHORS}) as some_members
      )
      insert into messages (tenant_id, channel_id, parent_id, id, seq, author_id, content, created_at)
      select ${spaceId}, ${roomId}, ${parentId ?? null}::uuid,
        overlay(overlay(lpad(to_hex(1700000000000 + seq * 60000), 12, '0') || left(md5(${roomId} || seq::text), 20)
          placing '7' from 13) placing 'a' from 17)::uuid,
        seq, ids[1 + (seq / 3) % array_length(ids, 1)],
        'Message number ' || seq || case seq % 10
          when 3 then ' is **long**: ' || repeat('it goes on about nothing much, as most of them do. ', 8)
          when 5 then E' shows code:\n' || repeat(chr(96), 3) || E'js\nconst answer = 6 * 7\n' || repeat(chr(96), 3)
          when 7 then ' names https://example.org/page/' || seq || ' and _why_'
          when 8 then E':\n- one thing\n- another'
          else ' of a conversation about nothing much.'
        end,
        to_timestamp(1700000000 + seq * 60)
      from author, generate_series(${from}::bigint, ${to}::bigint) as seq`)
  }
  await database.execute(sql`
    update message_heads set last_seq = ${count}, last_message_id = (
      select id from messages where tenant_id = ${spaceId} and channel_id = ${roomId} and seq = ${count})
    where tenant_id = ${spaceId} and channel_id = ${roomId}`)
}

async function joinAndRead(foyer: Foyer, writer: Account, rooms: readonly Room[]): Promise<void> {
  const client = new Client({ baseUrl: `http://127.0.0.1:${foyer.port}` })
  await client.auth.signin({ ...READER, username: 'reader' })
  const { code } = await writer.client.invites.create(writer.spaceId, writer.roomId)
  await client.invites.join(code)
  await markRead(client, rooms)
}

/** Marks all messages of the rooms as read, so that the rooms open at their end. */
export async function markRead(client: Client, rooms: readonly Room[]): Promise<void> {
  for (const { id } of rooms) {
    const [newest] = await client.messages.list(id, { limit: 1 })
    if (newest !== undefined) await client.messages.ack(id, newest.id)
  }
}

/** Signs in as the member who opens the space. */
export async function signIn(foyer: Foyer): Promise<{ client: Client; tokens: Tokens }> {
  const client = new Client({ baseUrl: `http://127.0.0.1:${foyer.port}` })
  const { user: _, ...tokens } = await client.auth.login(READER)
  return { client, tokens }
}
