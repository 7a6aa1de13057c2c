import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RoomType } from '@foyer/protocol/rooms'
import { newId } from '../../apps/server/src/kernel/ids.ts'
import { TokenSigner } from '../../apps/server/src/kernel/secrets/tokens.ts'
import { sql } from '../../apps/server/src/kernel/sql/sql.ts'
import type { Foyer } from '../server/foyer.ts'
import { type Account, signUp } from './accounts.ts'
import { withDatabase } from './messages.ts'

/** Fields of IDENTIFY and RESUME. */
export interface Identity {
  token: string
  session_token: string
}

export interface CrowdSize {
  people: number
  spaces: number
  /** Number of spaces that each user is in. */
  spacesEach: number
  /** Rooms per space, in addition to those of a new space. */
  rooms: number
}

export interface Crowd {
  /** The owners of the spaces. */
  hosts: readonly Account[]
  identities: readonly Identity[]
}

const SESSION_MS = 24 * 60 * 60 * 1000

/** An account with a session. */
export interface Person extends Identity {
  userId: string
}

/** Inserts thousands of users in a few spaces into the tables. Hashing their passwords would take minutes. */
export async function createCrowd(foyer: Foyer, size: CrowdSize): Promise<Crowd> {
  const hosts = await signUp(foyer.port, size.spaces)
  for (const host of hosts) await addRooms(host, size.rooms)
  const people = await insertPeople(foyer, 'crowd_', size.people)
  const memberships = people.flatMap(({ userId }, index) =>
    spacesOf(index, size).map((space) => ({ userId, spaceId: hosts[space]?.spaceId ?? '' })),
  )
  await withDatabase(foyer, async (database) => {
    await database.execute(sql`
      insert into members (space_id, user_id) select * from unnest(
        ${memberships.map(({ spaceId }) => spaceId)}::uuid[], ${memberships.map(({ userId }) => userId)}::uuid[])`)
    await database.execute(sql`
      update spaces set member_count = (select count(*) from members where space_id = spaces.id)`)
    await database.execute({ name: '', text: 'analyze', values: [] })
  })
  return { hosts, identities: people.map(({ token, session_token }) => ({ token, session_token })) }
}

/** Inserts accounts with a session each into the tables. Their names are the prefix and a number from 1. */
export async function insertPeople(foyer: Foyer, prefix: string, count: number): Promise<Person[]> {
  const people = Array.from({ length: count }, () => ({ userId: newId(), sessionId: newId() }))
  const expiresAt = Date.now() + SESSION_MS
  const userIds = people.map(({ userId }) => userId)
  await withDatabase(foyer, async (database) => {
    await database.execute(sql`
      insert into users (id, username) select id, ${prefix}::text || place
      from unnest(${userIds}::uuid[]) with ordinality as person (id, place)`)
    await database.execute(sql`
      insert into sessions (id, user_id, expires_at)
      select *, ${new Date(expiresAt)}::timestamptz from unnest(
        ${people.map(({ sessionId }) => sessionId)}::uuid[], ${userIds}::uuid[])`)
  })
  const signer = new TokenSigner(readFileSync(join(foyer.dataDir, 'secret.key'), 'utf8').trim())
  return people.map((person) => {
    const sign = (kind: 'access' | 'session') => signer.sign({ kind, ...person, generation: 0, expiresAt })
    return { userId: person.userId, token: sign('access'), session_token: sign('session') }
  })
}

async function addRooms({ client, spaceId }: Account, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1)
    await client.rooms.create(spaceId, { name: `Room ${number}`, type: RoomType.Text })
}

function spacesOf(index: number, { spaces, spacesEach }: CrowdSize): number[] {
  return Array.from({ length: spacesEach }, (_, place) => (index + place) % spaces)
}
