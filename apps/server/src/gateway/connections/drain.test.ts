import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import { identify, openGateway, openSession, resume } from '#test/gateway-client.ts'
import { type Installation, makeInstallation } from '#test/processes/installation.ts'
import { createPerson } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'

let installation: Installation

before(async () => {
  installation = await makeInstallation()
})
after(() => installation.remove())

test('GATEWAY-10: a server that stops sends its clients to the next one, where they resume without losing events', async () => {
  const first = await installation.start()
  const ada = await createPerson(first, 'ada')
  const space = await makeSpace(ada)
  const identity = await openSession(first, ada.id)
  const client = await identify(first, identity)
  const place = client.heard('READY')[0]?.s ?? ''
  await ada.client.messages.create(space.general, { content: 'before' })
  const stopped = first.close()
  const { d } = await client.findCommand(Opcode.Reconnect)
  const after = Number(Object(d).after_ms)
  assert.ok(after >= 0 && after < 3000)
  await assert.rejects(openGateway(first))
  await ada.client.messages.create(space.general, { content: 'meanwhile' }).catch(() => undefined)
  assert.equal(await client.closed, 1012)
  await stopped
  const second = await installation.start()
  const back = await resume(second, identity, place)
  const history = client.heard('MESSAGE_CREATE')
  assert.deepEqual(
    back
      .heard('MESSAGE_CREATE')
      .slice(0, history.length)
      .map(({ text }) => text),
    history.map(({ text }) => text),
  )
  assert.equal(back.heard('RESUMED').length, 1)
  back.close()
  await second.close()
})
