import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import { holdRead } from '#test/locks/held-read.ts'
import { listUpdates, look } from '#test/scenes/member-lists.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

/** The look-ups of users who may have changed. */
const LOOK_UP = 'coalesce(nickname, alias, username) as name'

let server: TestServer
let ada: Person
let eve: Person

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
})
after(() => server.close())

/** Runs the work while another look-up blocks the client's queue, so that its own look-up has to wait. */
async function inTurn(context: TestContext, client: GatewayClient, work: () => unknown): Promise<void> {
  const blocks = holdRead(context, server, 'select blocked_id as id from blocks', 'behind')
  await work()
  await blocks.asked
  blocks.release()
  await client.settle()
}

/** The next look-up of the space's roles fails. */
function failSnapshot(context: TestContext): void {
  const { snapshots } = server.deps
  const mocked = context.mock.method(snapshots, 'find', async () => {
    mocked.mock.restore()
    throw new Error('the connection broke')
  })
}

test('LIST-8: a list whose first query fails is loaded again for the next subscriber', async (context) => {
  const space = await makeSpace(ada, [eve])
  const [hers, his] = [await connect(server, ada), await connect(server, eve)]
  const read = holdRead(context, server, 'from members where space_id = $1 order by user_id')
  look(hers, space.id)
  await read.asked
  await inTurn(context, his, () => look(his, space.id))
  read.fail()
  await his.findEvent('SPACE_MEMBER_LIST_UPDATE')
  assert.deepEqual(
    listUpdates(his).map(({ member_count, ranges }) => [member_count, ranges[0]?.user_ids.length]),
    [[2, 2]],
  )
  hers.close()
  his.close()
})

test('LIST-8: a change of members or roles whose query fails is loaded again', async (context) => {
  const space = await makeSpace(ada, [eve])
  const hers = await connect(server, ada)
  look(hers, space.id)
  await hers.findEvent('SPACE_MEMBER_LIST_UPDATE')
  const read = holdRead(context, server, LOOK_UP)
  await ada.client.users.updateMe({ alias: 'Xenia' })
  await read.asked
  const role = await ada.client.roles.create(space.id, { name: 'Crew', hoisted: true })
  await ada.client.roles.assign(space.id, ada.id, role.id)
  await hers.findEvent('SPACE_MEMBER_UPDATE')
  // Every other part knows the roles by now: only the list asks for them again.
  failSnapshot(context)
  read.fail()
  await hers.find(() => listUpdates(hers).at(-1)?.groups[0]?.id === role.id, 'the role in the list')
  assert.equal(
    listUpdates(hers)
      .at(-1)
      ?.members.find(({ user_id }) => user_id === ada.id)?.user.alias,
    'Xenia',
  )
  hers.close()
})

test('LIST-8: a subscriber whose update fails receives the whole list afterwards', async (context) => {
  const kim = await createPerson(server, 'kim')
  const space = await makeSpace(ada, [eve, kim])
  await eve.client.friends.block(kim.id)
  const [hers, his] = [await connect(server, ada), await connect(server, eve)]
  for (const client of [hers, his]) {
    look(client, space.id)
    await client.findEvent('SPACE_MEMBER_LIST_UPDATE')
  }
  const change = holdRead(context, server, LOOK_UP)
  await ada.client.users.updateMe({ alias: 'Zora' })
  await change.asked
  const known = listUpdates(his).length
  await inTurn(context, his, () => eve.client.friends.unblock(kim.id))
  const coming = holdRead(context, server, LOOK_UP)
  change.fail()
  await coming.asked
  coming.fail()
  await his.find(() => listUpdates(his).length > known, 'the list')
  assert.equal(listUpdates(his)[known]?.ranges[0]?.user_ids.length, 3)
  hers.close()
  his.close()
})
