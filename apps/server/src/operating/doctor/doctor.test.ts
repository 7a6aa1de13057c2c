import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readConfig } from '#src/config.ts'
import { createVoiceEngine } from '#src/voice/create-engine.ts'
import { Attribute, encodeStun } from '#src/voice/stun/stun.ts'
import { startOwnServer, startTestServer, type TestServer } from '#test/server.ts'
import { startHostileProvider } from '#test/sign-in/hostile-provider.ts'
import { startCoturn, type TestCoturn, withoutCoturn } from '#test/voice/coturn.ts'
import { FULL_RIGHTS, newSession } from '#test/voice/voice-engines.ts'
import { VoicePeer } from '#test/voice/voice-peer.ts'
import { runDoctor } from './doctor.ts'
import type { Finding } from './finding.ts'
import { examineInstallation } from './installation.ts'
import { examineProviders } from './sign-in.ts'
import { examineAddress, examineVoice } from './voice.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server.close())

function verdictOf(findings: readonly Finding[], what: RegExp): [Finding['verdict'], string, string] {
  const finding = findings.find((each) => what.test(each.what))
  assert.ok(finding, `${what} is looked at`)
  return [finding.verdict, finding.says, finding.remedy ?? '']
}

function voiceOf(settings: Record<string, string>) {
  return readConfig({ VOICE_PORT: '0', ...settings }).voice
}

test('DOCTOR-1, DOCTOR-2: the doctor tests through the running server', async () => {
  const { config } = server.deps
  const findings = await runDoctor({ ...config, port: Number(new URL(server.url).port) })
  assert.match(verdictOf(findings, /^server$/)[1], new RegExp(`runs at ${server.url}`))
  assert.equal(verdictOf(findings, /^data folder$/)[0], 'good')
  assert.deepEqual(verdictOf(findings, /^voice$/), ['good', 'it accepts an offer', ''])
  for (const name of ['UDP', 'TCP'])
    assert.deepEqual(verdictOf(findings, new RegExp(`^${name} 127\\.0\\.0\\.1 port \\d+$`)), [
      'good',
      'it answers',
      '',
    ])
  const sessions = (await server.deps.voiceEngine?.stats())?.sessions
  assert.equal(sessions, 1, 'it asked this server')
})

test('DOCTOR-1: failures are reported with a remedy, and the exit code is 1', async () => {
  const environment = {
    PORT: '1',
    VOICE_PORT: '0',
    DATA_DIR: server.dataDir,
    DATABASE_URL: 'postgres://127.0.0.1:1/nothing',
    SMTP_URL: 'smtp://127.0.0.1:1',
  }
  const program = fileURLToPath(new URL('../../../../../bin/doctor', import.meta.url))
  const { PATH } = process.env
  const { code, stdout } = await new Promise<{ code: unknown; stdout: string }>((resolve) =>
    execFile(program, { env: { PATH, ...environment } }, (error, stdout) =>
      resolve({ code: error?.code, stdout }),
    ),
  )
  assert.equal(code, 1)
  assert.match(stdout, /^FAIL {2}database: .+\n {6}→ check that DATABASE_URL/m)
  assert.match(stdout, /^FAIL {2}mail: .+\n {6}→ check that SMTP_URL/m)
  assert.match(stdout, /^ok {4}UDP 127\.0\.0\.1 port \d+: it answers$/m)
})

test('DOCTOR-5: the doctor reads metrics like Prometheus, and names the setting if nobody may read them', async (t) => {
  const guarded = await startTestServer({ publicUrl: server.url, metricsToken: 'metrics-secret' })
  t.after(() => guarded.close())
  const look = async (asked: TestServer, changes: { publicUrl?: string; metricsToken?: string }) => {
    const config = { ...asked.deps.config, publicUrl: undefined, metricsToken: undefined, ...changes }
    return verdictOf(await examineInstallation(config, asked.url), /^metrics$/)
  }
  const publicUrl = server.url
  const open = await look(server, {})
  const right = await look(guarded, { publicUrl, metricsToken: 'metrics-secret' })
  const wrong = await look(guarded, { publicUrl, metricsToken: 'another secret' })
  const missing = await look(guarded, { publicUrl })
  assert.deepEqual(open, ['good', '/metrics is open to this machine', ''])
  assert.deepEqual(right, ['good', '/metrics is open to clients with METRICS_TOKEN', ''])
  assert.deepEqual(wrong.slice(0, 2), ['bad', '/metrics answers 401'])
  assert.equal(missing[0], 'note')
  assert.match(missing[1], /nobody may read \/metrics/)
  assert.match(missing[2], /^set METRICS_TOKEN/)
})

test('DOCTOR-6: the doctor asks each sign-in provider for its keys, and says what to register there', async () => {
  const provider = await startHostileProvider()
  const { settings } = provider
  const gone = { ...settings, id: 'gone', issuer: 'http://127.0.0.1:1' }
  const given = {
    ...server.deps.config,
    publicUrl: 'https://chat.example.org',
    oidcProviders: [settings, gone],
  }
  const [good, bad] = await examineProviders(given)
  assert.deepEqual([good?.what, good?.verdict], ['sign-in provider evil', 'good'])
  assert.match(good?.says ?? '', /https:\/\/chat\.example\.org\/api\/auth\/oidc\/evil\/callback/)
  assert.deepEqual([bad?.verdict, bad?.says], ['bad', '127.0.0.1 could not be reached'])
  provider.published = []
  assert.equal((await examineProviders(given))[0]?.verdict, 'bad')
  await provider.close()
})

test('DOCTOR-2: the doctor opens the port itself without a server, and reports it if it is taken', async () => {
  const socket = createSocket('udp6').bind(0)
  await once(socket, 'listening')
  const { port } = socket.address()
  const taken = await examineVoice(voiceOf({ VOICE_PORT: String(port) }), undefined)
  const [verdict, says, remedy] = verdictOf(taken, /^voice$/)
  assert.equal(verdict, 'bad')
  assert.match(says, new RegExp(`could not be opened at UDP port ${port}`))
  assert.match(remedy, /set VOICE_PORT/)
  socket.close()
  await once(socket, 'close')
  const free = await examineVoice(voiceOf({ VOICE_PORT: String(port) }), undefined)
  assert.equal(verdictOf(free, new RegExp(`^UDP 127\\.0\\.0\\.1 port ${port}$`))[0], 'good')
})

test('VTCP-8: the doctor reports a TCP port that another program has, and voice works without it', async () => {
  const taken = createServer().listen(0)
  await once(taken, 'listening')
  const address = taken.address()
  assert.ok(typeof address === 'object' && address !== null)
  const findings = await examineVoice(voiceOf({ VOICE_TCP_PORT: String(address.port) }), undefined)
  const [verdict, , remedy] = verdictOf(findings, new RegExp(`^TCP port ${address.port}$`))
  assert.equal(verdict, 'bad')
  assert.match(remedy, /set VOICE_TCP_PORT/)
  assert.equal(verdictOf(findings, /^UDP 127\.0\.0\.1 port \d+$/)[0], 'good')
  taken.close()
  const off = await examineVoice(voiceOf({ VOICE_TCP_PORT: 'off' }), undefined)
  assert.deepEqual(
    off.filter(({ what }) => what.startsWith('TCP')),
    [],
  )
})

test('DOCTOR-2: a public address that does not answer from inside is no failure', async () => {
  // Nothing can be sent to this one.
  const findings = await examineVoice(voiceOf({ PUBLIC_IP: '255.255.255.255' }), undefined)
  const [verdict, says, remedy] = verdictOf(findings, /^UDP 255\.255\.255\.255 port/)
  assert.equal(verdict, 'note')
  assert.match(says, /proves nothing/)
  assert.match(remedy, /forward UDP port/)
})

test('DOCTOR-3: the doctor compares PUBLIC_IP with what a STUN server sees', async () => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const url = `stun:127.0.0.1:${socket.address().port}`
  // 8.8.8.8, as XOR-MAPPED-ADDRESS has it.
  const seen = Buffer.from('00010000291aac4a', 'hex')
  socket.on('message', (request, { port }) => {
    const answer = encodeStun(0x0101, [[Attribute.xorMappedAddress, seen]])
    request.copy(answer, 8, 8, 20)
    socket.send(answer, port, '127.0.0.1')
  })
  const look = (publicIp: string) => examineAddress(voiceOf({ VOICE_ICE_SERVERS: url, PUBLIC_IP: publicIp }))
  const { verdict, says, remedy } = await look('')
  assert.deepEqual([verdict, remedy], ['bad', 'set PUBLIC_IP=8.8.8.8'])
  assert.match(says, /sees us at 8\.8\.8\.8, which is not announced/)
  assert.equal((await look('8.8.8.8')).verdict, 'good')
  socket.close()
})

suite('with coturn', { skip: withoutCoturn }, () => {
  let coturn: TestCoturn
  before(async () => {
    coturn = await startCoturn()
  })
  after(() => coturn?.close())

  const settings = (secret = coturn.secret) => {
    const { host } = coturn
    return { VOICE_ICE_SERVERS: `stun:${host},turn:${host},turn:${host}?transport=tcp`, TURN_SECRET: secret }
  }

  test('DOCTOR-4: the doctor tests that TURN relays with the credentials, by UDP and TCP', async () => {
    const findings = await examineVoice(voiceOf(settings()), undefined)
    assert.equal(verdictOf(findings, /^announced address$/)[0], 'good')
    const [verdict, says] = verdictOf(findings, /^turn:[\d.:]+$/)
    assert.deepEqual([verdict, says], ['good', 'it relays from 127.0.0.1'])
    assert.match(verdictOf(findings, /transport=tcp$/)[1], /^it relays from 127\.0\.0\.1; Chrome/)
  })

  test('DOCTOR-4: a wrong secret and a missing TURN server are failures', async () => {
    const wrong = await examineVoice(voiceOf(settings('another')), undefined)
    const [verdict, says, remedy] = verdictOf(wrong, /^turn:[\d.:]+$/)
    assert.deepEqual([verdict, says], ['bad', 'it rejects our credentials'])
    assert.match(remedy, /static-auth-secret is TURN_SECRET/)
    const urls = { VOICE_ICE_SERVERS: 'turn:127.0.0.1:1,turn:127.0.0.1:1?transport=tcp', TURN_SECRET: 'x' }
    const absent = await examineVoice(voiceOf(urls), undefined)
    assert.equal(verdictOf(absent, /^turn:127\.0\.0\.1:1$/)[0], 'bad')
    assert.equal(verdictOf(absent, /transport=tcp$/)[0], 'bad')
  })

  test('ENGINE-12: people hear each other over a relay, with the credentials of their grants', async () => {
    const voice = voiceOf(settings())
    const engine = createVoiceEngine({ voice, log: server.deps.log })
    const place = newSession().place.channelId
    const enter = async (tone: number) => {
      const session = newSession(place)
      const grant = await engine.join(session, FULL_RIGHTS)
      assert.ok(grant.driver === 'slots')
      const iceServers = grant.ice_servers.filter(({ username }) => username !== undefined)
      const peer = new VoicePeer({ tone, configuration: { iceServers, iceTransportPolicy: 'relay' } })
      return peer.join((offer) => engine.signal(session.id, offer))
    }
    try {
      using anna = await enter(300)
      using ben = await enter(700)
      await Promise.all([anna.hears(700), ben.hears(300)])
    } finally {
      await engine.drain()
    }
  })
})
