import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { User } from '@foyer/protocol/users'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { forgetCredentials } from '#test/forget-credentials.ts'
import { connect } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const SECRETS = ['1999-09-09', '+15550100', 'ada@example.org']

let server: TestServer
let ada: Person
let eve: Person

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  await server.deps.database.execute(sql`
    update users set birthdate = '1999-09-09', phone = '+15550100' where id = ${ada.id}`)
  await forgetCredentials(server, ada.id)
})
after(() => server.close())

test('MESSAGE-6: a user who may not change a message gets 403, whatever they send', async () => {
  const space = await makeSpace(ada, [eve])
  const path = `/api/rooms/${space.general}/messages`
  const { id } = await ada.client.messages.create(space.general, { content: 'x' })
  for (const body of [{ content: 'y' }, { content: 5 }, 'no JSON']) {
    assert.equal((await eve.call('PATCH', `${path}/${id}`, body)).code, 'missing_permission')
    assert.equal((await ada.call('PATCH', `${path}/${newId()}`, body)).code, 'unknown_message')
  }
  assert.equal((await ada.call('PATCH', `${path}/${id}`, { content: 5 })).code, 'invalid_request')
})

test('MESSAGE-10: a message contains only the public User of its author, wherever it appears', async () => {
  const space = await makeSpace(ada, [eve])
  const [own, other] = [await connect(server, ada), await connect(server, eve)]
  const path = `/api/rooms/${space.general}/messages`
  const sent = await ada.call('POST', path, { content: 'x', nonce: 'n' })
  const message = await ada.client.messages.create(space.general, { content: 'x', nonce: 'n' })
  const answers = [
    sent,
    await ada.call('POST', path, { content: 'x', nonce: 'n' }),
    await eve.call('GET', path),
    await eve.call('GET', `${path}/${message.id}`),
    await ada.call('PATCH', `${path}/${message.id}`, { content: 'y' }),
  ]
  await Promise.all([own.settle(), other.settle()])
  const frames = [...own.frames, ...other.frames].filter((frame) => frame.t !== 'READY')
  const journal = await listJournal()
  assert.ok(frames.some((frame) => frame.t === 'MESSAGE_UPDATE') && journal.includes('MESSAGE_CREATE'))
  const told = JSON.stringify([answers, frames]) + journal + other.heard('READY')[0]?.text
  for (const secret of SECRETS) assert.ok(!told.includes(secret), secret)
  assert.ok(own.heard('READY')[0]?.text.includes('1999-09-09'))
  assert.deepEqual(Object.keys(message.author).sort(), Object.keys(User.properties).sort())

  async function listJournal(): Promise<string> {
    const topic = topicOf.room(space.id, space.general)
    return JSON.stringify(
      await server.deps.database.query(sql`
        select name, data from events where tenant_id = ${topic.tenantId}`),
    )
  }
})
