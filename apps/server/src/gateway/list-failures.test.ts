import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import type { MemberListUpdate } from '@foyer/protocol/members'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import { holdRead } from '#test/held-read.ts'
import { createPerson, type Person } from '#test/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { makeSpace } from '#test/spaces.ts'

let server: TestServer
let ada: Person
let eve: Person

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
})
after(() => server.close())

function look(client: GatewayClient, spaceId: string): void {
  client.send(Opcode.Subscribe, { space_id: spaceId, member_ranges: [[0, 99]] })
}

function updates(client: GatewayClient): MemberListUpdate[] {
  return client.heard('SPACE_MEMBER_LIST_UPDATE').map(({ text }) => JSON.parse(text).d)
}

/** The next look-up of the space's roles fails. */
function failSnapshot(context: TestContext): void {
  const { snapshots } = server.deps
  const mocked = context.mock.method(snapshots, 'find', async () => {
    mocked.mock.restore()
    throw new Error('the connection broke')
  })
}

test('LIST-8: a list whose first look-up fails is looked up again for who comes next', async (context) => {
  const space = await makeSpace(ada, [eve])
  const [hers, his] = [await connect(server, ada), await connect(server, eve)]
  const read = holdRead(context, server, 'from members where space_id = $1 order by user_id')
  look(hers, space.id)
  await read.asked
  const blocks = holdRead(context, server, 'select blocked_id as id from blocks', 'behind')
  look(his, space.id)
  await blocks.asked
  blocks.release()
  // It waits for its turn now, behind the look-up.
  await his.settle()
  read.fail()
  await his.findEvent('SPACE_MEMBER_LIST_UPDATE')
  assert.deepEqual(
    updates(his).map(({ member_count, ranges }) => [member_count, ranges[0]?.user_ids.length]),
    [[2, 2]],
  )
  hers.close()
  his.close()
})

test('LIST-8: a change of the members or roles whose look-up fails is looked up again', async (context) => {
  const space = await makeSpace(ada, [eve])
  const hers = await connect(server, ada)
  look(hers, space.id)
  await hers.findEvent('SPACE_MEMBER_LIST_UPDATE')
  const read = holdRead(context, server, 'coalesce(nickname, alias, username) as name')
  await ada.client.users.updateMe({ alias: 'Xenia' })
  await read.asked
  const role = await ada.client.roles.create(space.id, { name: 'Crew', hoisted: true })
  await ada.client.roles.assign(space.id, ada.id, role.id)
  await hers.findEvent('SPACE_MEMBER_UPDATE')
  // Everybody else knows the roles by now: only the list asks for them again.
  failSnapshot(context)
  read.fail()
  await hers.find(() => updates(hers).at(-1)?.groups[0]?.id === role.id, 'the role in the list')
  assert.equal(
    updates(hers)
      .at(-1)
      ?.members.find(({ user_id }) => user_id === ada.id)?.user.alias,
    'Xenia',
  )
  hers.close()
})
