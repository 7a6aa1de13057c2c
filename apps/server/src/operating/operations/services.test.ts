import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { readConfig } from '#src/config.ts'
import type { Service } from '#src/kernel/services.ts'
import { connect } from '#test/gateway-client.ts'
import { awaitMail } from '#test/outside/mailbox.ts'
import { type Processes, startProcesses } from '#test/processes/processes.ts'
import { createPerson } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import type { TestServer } from '#test/server.ts'
import { withoutValkey } from '#test/valkey/valkey.ts'

const skip = withoutValkey
const joined = {
  VALKEY_URL: 'redis://127.0.0.1:1',
  DATABASE_URL: 'postgres://127.0.0.1/foyer',
  SECRET_KEY: 'k'.repeat(32),
}

let processes: Processes
let api: TestServer
let gateway: TestServer
let jobs: TestServer
let voice: TestServer
before(async () => {
  if (skip !== false) return
  const each: Service[] = ['api', 'gateway', 'jobs', 'voice']
  processes = await startProcesses(each.map((service) => ({ services: [service] })))
  const [first, second, third, fourth] = processes.servers
  if (third === undefined || fourth === undefined) throw new Error('four were started')
  ;[api, gateway, jobs, voice] = [first, second, third, fourth]
})
after(() => processes?.close())

test('PROCESS-3: a process runs all services, or those of --services, else of SERVICES', () => {
  assert.deepEqual(readConfig({}).services, ['api', 'gateway', 'jobs', 'voice'])
  assert.deepEqual(readConfig({ SERVICES: 'voice, jobs, api,gateway' }).services, [
    'api',
    'gateway',
    'jobs',
    'voice',
  ])
  assert.deepEqual(readConfig({ ...joined, SERVICES: 'jobs' }).services, ['jobs'])
  const both = readConfig({ ...joined, SERVICES: 'jobs' }, ['--services=gateway,api,api'])
  assert.deepEqual(both.services, ['api', 'gateway'])
})

test('PROCESS-3: an empty list, an unknown service, and some services without Valkey are refused', () => {
  const reasonOf = (environment: NodeJS.ProcessEnv, ...args: string[]): string => {
    try {
      return `it is ${readConfig(environment, args).services}`
    } catch (error) {
      return error instanceof Error ? error.message : ''
    }
  }
  assert.equal(
    reasonOf(joined, '--services=api,video'),
    '--services names video, which is not one of api, gateway, jobs, voice',
  )
  for (const list of ['', ',', ' '])
    assert.equal(
      reasonOf(joined, `--services=${list}`),
      '--services must name at least one of api, gateway, jobs, voice',
    )
  assert.equal(
    reasonOf({ ...joined, SERVICES: ',' }),
    'SERVICES must name at least one of api, gateway, jobs, voice',
  )
  assert.equal(
    reasonOf({ SERVICES: 'api,gateway,jobs' }),
    'VALKEY_URL is required unless SERVICES names all of api, gateway, jobs, voice',
  )
  assert.match(reasonOf({}, '--service=api'), /--service/)
})

test('PROCESS-11: invalid addresses of Valkey are refused', () => {
  for (const address of ['localhost', 'http://localhost', 'redis://', 'redis://a,,b', 'redis://a:x'])
    assert.throws(() => readConfig({ ...joined, VALKEY_URL: address }), /VALKEY_URL must be/)
  for (const address of ['redis://a', 'rediss://:secret@a:1', 'redis://a:1,redis://b:2'])
    assert.equal(readConfig({ ...joined, VALKEY_URL: address }).valkeyUrl, address)
})

test('PROCESS-4: every process has health and metrics, and health names the services', { skip }, async () => {
  for (const [server, service] of [
    [api, 'api'],
    [gateway, 'gateway'],
    [jobs, 'jobs'],
    [voice, 'voice'],
  ] as const) {
    const health = await server.fetch('/api/health')
    const { version } = server.deps.config
    assert.deepEqual(await health.json(), { status: 'ok', version, services: [service] })
    assert.equal((await server.fetch('/metrics')).status, 200)
  }
})

test('PROCESS-4: only an api process answers requests', { skip }, async () => {
  const ann = await createPerson(api, 'ann')
  for (const [server, status] of [
    [api, 200],
    [gateway, 404],
    [jobs, 404],
    [voice, 404],
  ] as const) {
    assert.equal((await ann.at(server).call('GET', '/api/users/@me')).status, status)
    assert.equal((await server.fetch('/api/docs/json')).status, status)
  }
})

test('PROCESS-4: only a gateway process accepts WebSockets, and it receives events of the other processes', {
  skip,
}, async () => {
  const bea = await createPerson(api, 'bea')
  assert.deepEqual(await Promise.all([api, jobs, voice].map(statusOfUpgrade)), [404, 404, 404])
  const client = await connect(gateway, bea)
  const { general } = await makeSpace(bea, [])
  await bea.client.messages.create(general, { content: 'from another process' })
  const { d } = await client.findEvent('MESSAGE_CREATE')
  assert.match(JSON.stringify(d), /from another process/)
  client.close()
})

test('PROCESS-4: only a jobs process does the work that a request queued', { skip }, async () => {
  await api.signUp('cleo')
  await awaitMail(jobs, 'cleo@example.org', { subject: 'Verify' })
})

async function statusOfUpgrade({ url }: TestServer): Promise<number | undefined> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  }
  const asked = request(`${url}/gateway?v=1`, { headers }).end()
  const [response] = await once(asked, 'response')
  response.resume()
  return response.statusCode
}
