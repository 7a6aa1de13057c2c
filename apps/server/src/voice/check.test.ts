import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { startProcesses } from '#test/processes/processes.ts'
import { type Answer, createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { withoutValkey } from '#test/valkey/valkey.ts'
import { FakeLiveKit, type SentWebhook } from '#test/voice/fake-livekit.ts'
import { VoicePeer } from '#test/voice/voice-peer.ts'
import { TestSessions } from './check.ts'
import { createVoiceEngine } from './create-engine.ts'

const PATH = '/api/voice/check'
const TURN = { VOICE_ICE_SERVERS: 'turn:a.example:3478', TURN_SECRET: 'never told' }

let server: TestServer
let anna: Person
before(async () => {
  const { voice } = readConfig({ VOICE_PORT: '0', PUBLIC_IP: '198.51.100.1', ...TURN })
  server = await startTestServer({ voice })
  anna = await createPerson(server, 'anna')
})
after(() => server.close())

async function beginTest(person: Person, sdp: string): Promise<string> {
  return (await person.client.voiceChecks.begin(sdp)).sdp
}

test('ENGINE-18: people can see how voice is reached, without any secret', async () => {
  const shown = await anna.client.voiceChecks.get()
  const { engine, addresses, livekit_url, ice_servers } = shown
  assert.deepEqual([engine, addresses[0], livekit_url], ['embedded', '198.51.100.1', null])
  assert.match(ice_servers[0]?.username ?? '', new RegExp(`^\\d+:${anna.id}$`))
  assert.doesNotMatch(JSON.stringify(shown), /never told/)
  assert.equal((await server.fetch(PATH)).status, 401)
})

test('ENGINE-19: a test connects, and the next one ends it', async () => {
  using first = await new VoicePeer({ tone: 300 }).join((offer) => beginTest(anna, offer))
  assert.equal((await server.deps.voiceEngine?.stats())?.sessions, 1)
  using second = await new VoicePeer({ tone: 300 }).join((offer) => beginTest(anna, offer))
  assert.equal((await server.deps.voiceEngine?.stats())?.sessions, 1)
  const another = await createPerson(server, 'carl')
  using third = await new VoicePeer().join((offer) => beginTest(another, offer))
  assert.equal((await server.deps.voiceEngine?.stats())?.sessions, 2)
  assert.deepEqual(second.tones().concat(third.tones()).filter(Boolean), [])
  const { ports, tcp_ports } = await anna.client.voiceChecks.get()
  assert.deepEqual([ports.length, tcp_ports.length], [1, 1])
  first.close()
})

test('ENGINE-19: a test ends by itself; an invalid offer is refused, and leaves nothing behind', async () => {
  const engine = createVoiceEngine({ voice: readConfig({ VOICE_PORT: '0' }).voice, log: server.deps.log })
  try {
    const tests = new TestSessions(engine, 1000)
    await assert.rejects(tests.begin('somebody', 'v=0'), { code: 'invalid_offer' })
    assert.equal((await engine.stats()).sessions, 0)
    using peer = new VoicePeer()
    assert.match(await tests.begin('somebody', await peer.offer()), /^v=0/)
    await until(async () => (await engine.stats()).sessions === 0, 'it ends')
  } finally {
    await engine.drain()
  }
})

test('ENGINE-19: a process without voice forwards the test to another one', {
  skip: withoutValkey,
}, async () => {
  const processes = await startProcesses([{ services: ['api', 'gateway', 'jobs'] }, { services: ['voice'] }])
  try {
    const [asked, carrier] = processes.servers
    const ben = await createPerson(asked, 'ben')
    assert.deepEqual((await ben.client.voiceChecks.get()).ports, [])
    await assert.rejects(beginTest(ben, 'v=0'), { code: 'invalid_offer' })
    using _peer = await new VoicePeer().join((offer) => beginTest(ben, offer))
    assert.equal((await carrier.deps.voiceEngine?.stats())?.sessions, 1)
    await carrier.close()
    await assert.rejects(beginTest(ben, 'v=0'), { code: 'voice_unavailable' })
  } finally {
    await processes.close()
  }
})

test('ENGINE-19: invalid bodies are refused', async () => {
  for (const sdp of ['', 'v=0', 'hello'])
    assert.deepEqual(codeOf(await anna.call('POST', PATH, { sdp })), [400, 'invalid_offer'])
  for (const body of [{}, { sdp: null }, { sdp: 'v'.repeat(70_000) }])
    assert.deepEqual(codeOf(await anna.call('POST', PATH, body)), [400, 'invalid_request'])
})

test('ENGINE-20: the doctor tests with a token of the server’s key, which is valid nowhere else', async () => {
  const claims = { userId: 'doctor', sessionId: 'doctor', generation: 0, expiresAt: Date.now() + 60_000 }
  const { signer } = server.deps
  const ask = async (token: string, sdp: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return server.fetch(`${PATH}/doctor`, { method: 'POST', headers, body: JSON.stringify({ sdp }) })
  }
  const token = signer.sign({ kind: 'doctor', ...claims })
  using _peer = await new VoicePeer().join(
    async (sdp) => JSON.parse(await (await ask(token, sdp)).text()).sdp,
  )
  assert.equal((await server.fetch(PATH, { headers: { authorization: `Bearer ${token}` } })).status, 401)
  const expired = signer.sign({ kind: 'doctor', ...claims, expiresAt: Date.now() - 1 })
  const access = signer.sign({ kind: 'access', ...claims })
  for (const wrong of [expired, access, '', `${token}x`]) assert.equal((await ask(wrong, 'v=0')).status, 403)
})

test('ENGINE-17: reports of LiveKit count only with its signature', async () => {
  const liveKit = await FakeLiveKit.start()
  const { voice } = readConfig({})
  const own = await startTestServer({ voice: { ...voice, livekit: liveKit.settings } })
  const tell = ({ body, token }: SentWebhook) => {
    const headers = { authorization: token, 'content-type': 'application/webhook+json' }
    return own.fetch('/api/voice/livekit', { method: 'POST', headers, body })
  }
  try {
    const news = await liveKit.webhookOf('participant_joined', 'a room', {
      sid: 'PA_1',
      identity: 'somebody',
    })
    assert.equal((await tell(news)).status, 204)
    assert.equal((await tell({ ...news, body: news.body.replace('joined', 'left') })).status, 403)
    assert.equal((await tell({ ...news, token: 'x' })).status, 403)
    const ben = await createPerson(own, 'ben')
    assert.deepEqual(codeOf(await ben.call('POST', PATH, { sdp: 'v=0' })), [400, 'invalid_request'])
    const shown = await ben.client.voiceChecks.get()
    assert.deepEqual([shown.engine, shown.livekit_url], ['livekit', liveKit.settings.url])
    assert.doesNotMatch(JSON.stringify(shown), new RegExp(liveKit.settings.apiSecret))
  } finally {
    await own.close()
    await liveKit.close()
  }
  assert.equal((await server.fetch('/api/voice/livekit', { method: 'POST', body: '{}' })).status, 404)
})

function codeOf({ status, code }: Pick<Answer, 'status' | 'code'>) {
  return [status, code]
}
