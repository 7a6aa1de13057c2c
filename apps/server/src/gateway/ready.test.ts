import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { encodeEvent } from '#src/kernel/events.ts'
import { newId } from '#src/kernel/ids.ts'
import { openSession } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { encodeLargeReady, loadReady } from './ready.ts'

/** Names that look like what the encoding replaces. */
const HOSTILE = ['"spaces":[]', String.raw`\"spaces\":[]`, 'plain']

let server: TestServer
let ada: Person
before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
})
after(() => server.close())

test('GATEWAY-22: the event loop gets a turn for each space while a large READY is encoded', async () => {
  for (const name of HOSTILE) await ada.client.spaces.create({ name })
  const { token, session_token: sessionToken } = await openSession(server, ada.id)
  const credential = { authorization: `Bearer ${token}`, sessionToken }
  const caller = await server.deps.credentials.authenticate(credential, '127.0.0.1')
  assert.ok(caller)
  const ready = await loadReady({ ...server.deps, version: 'test' }, caller, {
    connectionId: newId(),
    spaceIds: null,
  })
  const whole = { ...ready, presences: [] }
  let turns = 0
  let isOver = false
  const encoding = encodeLargeReady(whole).finally(() => {
    isOver = true
  })
  while (!isOver) {
    await nextTurn()
    turns += 1
  }
  assert.ok(turns >= ready.spaces.length && ready.spaces.length === HOSTILE.length, `${turns} turns`)
  assert.deepEqual(JSON.parse(String(Buffer.concat(await encoding))), JSON.parse(encodeEvent('READY', whole)))
})
