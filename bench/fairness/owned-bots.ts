import { MAX_APPLICATIONS } from '@foyer/protocol/limits'
import { sql } from '../../apps/server/src/kernel/sql/sql.ts'
import type { Person } from '../load/crowd.ts'
import { HttpClient } from '../load/http-client.ts'
import { withDatabase } from '../load/messages.ts'
import type { Preparation } from './attack.ts'
import type { Fixture } from './fixture.ts'

interface Made {
  application: { bot: { id: string } }
  token: string
}

/** Creates as many bots as the first account may have, and adds them to all its spaces. @returns their tokens */
export async function makeBots({ foyer, isSmoke }: Preparation, fixture: Fixture): Promise<string[]> {
  const [owner] = fixture.people
  if (owner === undefined) throw new Error('the owner is missing')
  const made: Made[] = []
  const count = isSmoke ? 2 : MAX_APPLICATIONS
  while (made.length < count) made.push(await makeBot(foyer.port, owner, `Bot ${made.length}`))
  const userIds = made.map(({ application }) => application.bot.id)
  // Inserts the members into the table, because adding bots one by one would publish each space's members to every bot.
  await withDatabase(foyer, async (database) => {
    await database.execute(sql`
      insert into members (space_id, user_id, username_key, alias_key)
      select spaces.id, users.id, username, alias_key from users, spaces
      where users.id = any(${userIds}::uuid[]) and spaces.id = any(${fixture.spaceIds}::uuid[])`)
    await database.execute(sql`
      update spaces set member_count = (select count(*) from members where space_id = spaces.id)
      where id = any(${fixture.spaceIds}::uuid[])`)
  })
  return made.map(({ token }) => token)
}

async function makeBot(port: number, identity: Person, name: string): Promise<Made> {
  const client = new HttpClient(port)
  const answer = await client.ask({
    method: 'POST',
    path: '/api/applications',
    identity,
    body: JSON.stringify({ name }),
  })
  client.close()
  if (answer.status !== 200 && answer.status !== 201)
    throw new Error(`no bot: ${answer.status} ${answer.body}`)
  const made: Made = JSON.parse(answer.body)
  return made
}
