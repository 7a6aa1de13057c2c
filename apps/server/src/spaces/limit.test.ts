import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MAX_SPACES } from '@foyer/protocol/limits'
import { sql } from '#src/kernel/sql/sql.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
})
after(() => server.close())

/** Makes the user a member of `count` spaces of another owner. */
async function joinMany(userId: string, count: number): Promise<void> {
  await server.deps.database.execute(sql`
    with space as (
      insert into spaces (id, name, owner_id, member_count)
      select gen_random_uuid(), 'one of many', ${ada.id}, 1 from generate_series(1, ${count}::integer)
      returning id
    )
    insert into members (space_id, user_id) select id, ${userId} from space`)
}

test('SPACE-13: a person is in at most 200 spaces, however many they create or join at once', async () => {
  const eve = await createPerson(server, 'eve')
  const [first, second] = [await makeSpace(ada), await makeSpace(ada)]
  const invite = async (space: typeof first) =>
    (await ada.client.invites.create(space.id, space.general)).code
  const codes = [await invite(first), await invite(second)]
  await joinMany(eve.id, MAX_SPACES - 1)
  const answers = await Promise.all([
    ...codes.map((code) => eve.call('POST', `/api/invites/${code}`)),
    eve.call('POST', '/api/spaces', { name: 'Own' }),
  ])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400])
  assert.ok(answers.every(({ status, code }) => status === 200 || code === 'too_many_spaces'))
  assert.equal((await eve.client.users.listSpaces()).length, MAX_SPACES)
})

test('SPACE-13: a person at the limit can rejoin their spaces, and another once they have left one', async () => {
  const kim = await createPerson(server, 'kim')
  const space = await makeSpace(ada, [kim])
  const { code } = await ada.client.invites.create(space.id, space.general)
  await joinMany(kim.id, MAX_SPACES - 1)
  await kim.client.invites.join(code)
  assert.equal((await kim.call('POST', '/api/spaces', { name: 'Own' })).code, 'too_many_spaces')
  await kim.client.members.leave(space.id)
  const own = await kim.client.spaces.create({ name: 'Own' })
  await kim.client.spaces.delete(own.space.id)
  await kim.client.invites.join(code)
})

test('SPACE-13: a bot may be in any number', async () => {
  const bot = await createApplicationBot(server, ada, { name: 'kettle' })
  const space = await makeSpace(ada)
  await joinMany(bot.id, MAX_SPACES)
  await ada.client.members.addBot(space.id, bot.id)
})
