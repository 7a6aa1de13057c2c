import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { freePort } from './valkey.ts'

/** Linux gives outgoing connections ports from here on, other systems from 49152 on. */
const FIRST_OUTGOING = 32_768

test('free ports are different ones that no outgoing connection takes, and skip those in use', async (t) => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort))
  assert.equal(new Set(ports).size, 20)
  assert.ok(ports.every((port) => port < FIRST_OUTGOING))
  const next = Math.max(...ports) + 1
  const server = createServer().listen(next, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  assert.notEqual(await freePort(), next)
})
