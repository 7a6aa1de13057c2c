import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { readConfig } from '#src/config.ts'
import { stillMissingForOperators } from '#src/operating/operations/still-missing.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createApplicationBot, createPerson } from '#test/scenes/people.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer({ publicUrl: 'http://chat.example.org' })
})
after(() => server.close())

test('CONSOLE-20: operators read what the server still lacks, in the words of its start; others do not', async () => {
  const ada = await createOperator(server, 'ada')
  const { missing } = await ada.client.api(Administration).getStillMissing()
  assert.deepEqual(
    missing.slice(0, 2).map(({ id, what }) => [id, what]),
    [
      ['mail', 'mail'],
      ['https', 'voice and push'],
    ],
  )
  assert.match(missing[1]?.remedy ?? '', /^set PUBLIC_URL to an https address/)
  const bob = await createPerson(server, 'bob')
  const bot = await createApplicationBot(server, bob, { name: 'Robot', username: 'robot' })
  const path = '/api/operator/still-missing'
  assert.equal((await server.fetch(path)).status, 401)
  assert.equal((await bob.call('GET', path)).code, 'operator_only')
  assert.equal((await bot.call('GET', path)).status, 403)
})

test('CONSOLE-20: a server for its own machine lacks the address that invites need', async () => {
  const own = await startOwnServer()
  try {
    const ada = await createOperator(own, 'ada')
    const { missing } = await ada.client.api(Administration).getStillMissing()
    assert.deepEqual(
      missing.map(({ id }) => id),
      ['public_url'],
    )
  } finally {
    await own.close()
  }
})

test('CONSOLE-21: nothing is missing from a server with an https address, mail and a public address for voice', () => {
  const whole = {
    PUBLIC_URL: 'https://chat.example.org',
    TLS: 'off',
    SMTP_URL: 'smtp://mail.example.org',
    PUBLIC_IP: '8.8.8.8',
  }
  assert.deepEqual(stillMissingForOperators(readConfig(whole)), [])
})
