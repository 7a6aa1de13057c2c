import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { ServerChecks } from '@foyer/sdk/api/server-checks'
import { SMTPServer } from 'smtp-server'
import { tryMail } from '#src/kernel/mail/trial.ts'
import { type PushService, startPushService, subscribeBrowser } from '#test/outside/push-service.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { callAsNobody, createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { startOwnServer, startTestServer, type TestServer } from '#test/server.ts'

const PASSWORD = 'hunter2%secret'
const PATHS = ['mail', 'push', 'voice'].map((name) => `/api/operator/tests/${name}`)

let server: TestServer
let service: PushService
let ada: Person
let bob: Person

before(async () => {
  service = await startPushService()
  server = await startOwnServer({ allowedPrivateHosts: ['127.0.0.1'] })
  ada = await createOperator(server, 'ada')
  bob = await createPerson(server, 'bob')
})
after(async () => {
  await server.close()
  await service.close()
})

const tests = (person: Person) => person.client.api(ServerChecks)

function portOf(listening: { address(): unknown }): number {
  const address = listening.address()
  if (typeof address === 'object' && address !== null && 'port' in address) return Number(address.port)
  throw new Error('it does not listen')
}

/** A mail server that asks for a password, and answers in words of its own. */
async function startSmtp(answer: { refusal?: string; login?: string }) {
  const recipients: string[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) =>
      answer.login === undefined
        ? done(null, { user: auth.username })
        : done(Object.assign(new Error(`${answer.login} ${auth.password}`), { responseCode: 535 })),
    onRcptTo: ({ address }, _session, done) => {
      recipients.push(address)
      done(
        answer.refusal === undefined ? null : Object.assign(new Error(answer.refusal), { responseCode: 550 }),
      )
    },
    async onData(stream, _session, done) {
      await stream.toArray()
      done(null, 'queued as 4711')
    },
  })
  smtp.on('error', () => undefined)
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const url = `smtp://foyer:${encodeURIComponent(PASSWORD)}@127.0.0.1:${portOf(smtp.server)}`
  return { url, recipients, [Symbol.dispose]: () => smtp.close(() => undefined) }
}

test('CONSOLE-22: a test mail goes to the own address, and the answer has what the mail server said', async () => {
  using smtp = await startSmtp({})
  const own = await startOwnServer({ smtpUrl: smtp.url })
  try {
    const operator = await createOperator(own, 'ada')
    const result = await tests(operator).mail()
    assert.deepEqual([result.outcome, result.to], ['accepted', 'ada@example.org'])
    assert.match(result.says, /^250 .*queued as 4711/)
    assert.deepEqual(smtp.recipients, ['ada@example.org'])
    const { status } = await operator.call('POST', '/api/operator/tests/mail', { to: 'eve@example.org' })
    assert.equal(status, 200)
    assert.deepEqual([...new Set(smtp.recipients)], ['ada@example.org'])
  } finally {
    await own.close()
  }
})

test('CONSOLE-23: a refusal and a wrong password are said in words, without the password', async () => {
  using refusing = await startSmtp({ refusal: 'we know nobody of this name' })
  const mail = { to: 'ada@example.org', subject: 'Test', paragraphs: ['Hi'] }
  const refused = await tryMail(refusing.url, 'foyer@example.org', mail)
  assert.equal(refused.outcome, 'refused')
  assert.match(refused.says, /550 we know nobody of this name/)
  using strict = await startSmtp({ login: 'wrong password:' })
  const failed = await tryMail(strict.url, 'foyer@example.org', mail)
  assert.equal(failed.outcome, 'failed')
  assert.match(failed.says, /535 wrong password: …/)
  assert.doesNotMatch(JSON.stringify([refused, failed]), /hunter2/)
})

test('CONSOLE-22: a mail server that is away or silent is said in words within the time', async () => {
  const mail = { to: 'ada@example.org', subject: 'Test', paragraphs: ['Hi'] }
  const silent = createServer(() => undefined)
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const port = portOf(silent)
  const waited = await tryMail(`smtp://127.0.0.1:${port}`, 'foyer@example.org', mail, 1000)
  silent.close()
  await once(silent, 'close')
  assert.deepEqual([waited.outcome, waited.says], ['failed', 'Greeting never received'])
  const away = await tryMail(`smtp://127.0.0.1:${port}`, 'foyer@example.org', mail)
  assert.equal(away.outcome, 'failed')
  assert.match(away.says, /ECONNREFUSED/)
})

test('CONSOLE-22: without a mail server, the test mail is a file', async () => {
  assert.deepEqual(await tests(ada).mail(), { outcome: 'saved', to: 'ada@example.org', says: '' })
  const folder = join(server.dataDir, 'mailbox')
  const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.eml'))
  assert.match(await readFile(join(folder, file), 'utf8'), /^Subject: Test email from Foyer$/m)
})

test('CONSOLE-22: a test notification goes to each of the own devices, with a result for each', async () => {
  assert.deepEqual(await tests(ada).push(), { devices: [] })
  const phone = await subscribeBrowser(service, ada, 'phone')
  const stranger = await subscribeBrowser(service, bob, 'stranger')
  await subscribeBrowser(service, ada, 'old')
  await subscribeBrowser(service, ada, 'angry')
  service.answer('old', (_request, response) => response.writeHead(410).end())
  service.answer('angry', (_request, response) => response.writeHead(403).end('go away'))
  const { devices } = await tests(ada).push()
  assert.deepEqual(devices.map(({ outcome, status, host }) => [outcome, status, host]).toSorted(), [
    ['gone', null, '127.0.0.1'],
    ['refused', 403, '127.0.0.1'],
    ['sent', null, '127.0.0.1'],
  ])
  const [pushed] = phone.pushes()
  assert.deepEqual([pushed?.type, pushed?.title], ['test', 'Test notification'])
  assert.deepEqual(stranger.pushes(), [])
  const again = await tests(ada).push()
  assert.equal(again.devices.length, 2, 'a browser that is gone is forgotten')
})

test('CONSOLE-22: voice is examined in the words of the doctor', async () => {
  const { findings } = await tests(ada).voice()
  assert.deepEqual(
    findings.slice(0, 1).map(({ what, verdict, says }) => [what, verdict, says]),
    [['voice', 'good', 'it accepts an offer']],
  )
  assert.ok(findings.some(({ what, says }) => what.startsWith('UDP ') && says === 'it answers'))
  assert.ok(findings.some(({ what }) => what === 'announced address'))
})

test('CONSOLE-23: others run no test, and each test is in the log of operators', async () => {
  const bot = await createApplicationBot(server, bob, { name: 'Robot', username: 'robot' })
  for (const path of PATHS) {
    assert.equal((await bob.call('POST', path)).code, 'operator_only')
    assert.equal((await bot.call('POST', path)).status, 403)
    assert.equal((await callAsNobody(server, 'POST', path)).status, 401)
  }
  const count = async (action: 'mail_test' | 'push_test' | 'voice_test') =>
    (await ada.client.api(Administration).log({ action })).entries.length
  const before = [await count('mail_test'), await count('push_test'), await count('voice_test')]
  for (const path of PATHS) assert.equal((await ada.call('POST', path)).status, 200)
  const after = [await count('mail_test'), await count('push_test'), await count('voice_test')]
  assert.deepEqual(
    after,
    before.map((number) => number + 1),
  )
})

test('CONSOLE-23: each test may be run six times in ten minutes', async () => {
  const limited = await startTestServer({ rateLimits: true })
  try {
    const operator = await createOperator(limited, 'ada')
    const statuses: number[] = []
    for (let turn = 0; turn < 7; turn += 1)
      statuses.push((await operator.call('POST', '/api/operator/tests/mail')).status)
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 429])
    assert.equal((await operator.call('POST', '/api/operator/tests/push')).status, 200)
  } finally {
    await limited.close()
  }
})
