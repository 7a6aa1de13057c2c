import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryObjects } from 'node:v8'
import { InflateRaw } from 'node:zlib'
import { identify, openSession } from '#test/gateway-client.ts'
import { createPerson } from '#test/scenes/people.ts'
import { startTestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

/** Browsers compress everything they send. */
const LIKE_BROWSERS = { threshold: 0 }

/** The inflaters that survive a garbage collection. */
function countInflaters(): number {
  return queryObjects(InflateRaw, { format: 'count' })
}

test('GATEWAY-6: compressed frames are read, and leave no inflater in memory', async (context) => {
  const server = await startTestServer()
  context.after(() => server.close())
  const ada = await createPerson(server, 'ada')
  const before = countInflaters()
  const client = await identify(server, await openSession(server, ada.id), { compress: LIKE_BROWSERS })
  assert.equal(client.socket.extensions, 'permessage-deflate')
  await client.settle()
  await client.settle()
  await until(async () => countInflaters() === before, 'the inflaters are gone')
  client.close()
})
