import { DEFAULT_PERMISSIONS } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { type Query, sql } from '../../apps/server/src/kernel/sql/sql.ts'
import { insertPeople, type Person } from '../load/crowd.ts'
import { withDatabase } from '../load/messages.ts'
import type { Foyer } from '../server/foyer.ts'
import type { Fixture } from './fixture.ts'

/** Spaces that would take hours to create within the limits. The benchmark inserts them into the tables. */
export interface OwnedSpaces {
  /** Prefix of the usernames, which are prefix_1, prefix_2, and so on. */
  prefix: string
  /** Number of accounts: the first owns everything, the others are members of the first space. */
  people: number
  spaces: number
  /** Text rooms per space. */
  rooms: number
  /** Overwrites per space, spread over its rooms. They name users who do not exist. */
  overwrites?: number
}

export async function makeSpaces(foyer: Foyer, owned: OwnedSpaces): Promise<Fixture> {
  const people = await insertPeople(foyer, `${owned.prefix}_`, owned.people)
  const [owner] = people
  if (owner === undefined) throw new Error('the owner is missing')
  return withDatabase(foyer, async (database) => {
    const spaces = await database.execute<{ id: string }>(insertSpaces(owner, owned))
    const spaceIds = spaces.map(({ id }) => id)
    const roomIds: string[] = []
    for (const spaceId of spaceIds) {
      const rooms = await database.execute<{ id: string }>(insertRooms(spaceId, owned.rooms))
      roomIds.push(...rooms.map(({ id }) => id))
      if (owned.overwrites !== undefined) await database.execute(insertOverwrites(spaceId, owned.overwrites))
    }
    const [firstId] = spaceIds
    if (firstId !== undefined) await database.execute(insertMembers(firstId, people))
    return { people, spaceIds, roomIds, secrets: [] }
  })
}

function insertSpaces({ userId }: Person, { spaces, prefix }: OwnedSpaces): Query {
  return sql`
    with space as (
      insert into spaces (id, name, owner_id, member_count)
      select uuidv7(), 'Space ' || number, ${userId}, 1 from generate_series(1, ${spaces}::integer) number
      returning id, owner_id
    ), everyone as (
      insert into roles (space_id, id, name, permissions, position)
      select id, id, '@everyone', ${DEFAULT_PERMISSIONS}::integer, 0 from space
    ), member as (
      insert into members (space_id, user_id, username_key) select id, owner_id, ${`${prefix}_1`} from space
    )
    select id from space`
}

function insertRooms(spaceId: string, count: number): Query {
  return sql`
    with room as (
      insert into rooms (space_id, id, name, type, position)
      select ${spaceId}, uuidv7(), 'room ' || number, ${RoomType.Text}, number - 1
      from generate_series(1, ${count}::integer) number
      returning space_id, id
    ), head as (
      insert into message_heads (tenant_id, channel_id) select space_id, id from room
    )
    select id from room`
}

function insertOverwrites(spaceId: string, count: number): Query {
  return sql`
    insert into room_overwrites (space_id, room_id, target_id, target_type, allow_flags, deny_flags)
    select space_id, id, uuidv7(), 1, 0, 1
    from rooms, generate_series(1, ${count}::integer / (select count(*) from rooms where space_id = ${spaceId})) number
    where space_id = ${spaceId}`
}

function insertMembers(spaceId: string, people: readonly Person[]): Query {
  return sql`
    with member as (
      insert into members (space_id, user_id, username_key, alias_key)
      select ${spaceId}, id, username, alias_key from users where id = any(${people.map(({ userId }) => userId)}::uuid[])
      on conflict do nothing
      returning user_id
    )
    update spaces set member_count = (select count(*) from member) + 1 where id = ${spaceId}`
}
