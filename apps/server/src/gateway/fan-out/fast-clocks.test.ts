import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { firstIdAt } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { connect } from '#test/gateway-client.ts'
import { createPerson } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'

let server: TestServer

before(async () => {
  server = await startOwnServer()
})
after(() => server.close())

test('PROCESS-26: a user kicked after a process with a fast clock changed them receives nothing more', async () => {
  const [ada, eve] = [await createPerson(server, 'ada'), await createPerson(server, 'eve')]
  const space = await makeSpace(ada, [eve])
  const client = await connect(server, eve)
  const [member] = (await ada.client.members.list(space.id)).filter(({ user_id }) => user_id === eve.id)
  const renamed = {
    id: firstIdAt(Date.now() + 3000),
    topic: topicOf.space(space.id),
    audience: 0,
    name: 'SPACE_MEMBER_UPDATE',
    data: JSON.stringify(member),
  }
  server.deps.bus.receive([renamed])
  await client.findEvent('SPACE_MEMBER_UPDATE')
  await ada.call('DELETE', `/api/spaces/${space.id}/members/${eve.id}`)
  await ada.client.messages.create(space.general, { content: 'not for eve' })
  await client.settle()
  assert.equal(client.heard('MESSAGE_CREATE').length, 0)
  assert.equal(client.heard('SPACE_DELETE').length, 1)
  client.close()
})
