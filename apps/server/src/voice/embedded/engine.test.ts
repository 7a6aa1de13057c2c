import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { createLog } from '#src/kernel/log.ts'
import { until } from '#test/until.ts'
import { FULL_RIGHTS, newSession, recordEvents } from '#test/voice/voice-engines.ts'
import { VoicePeer } from '#test/voice/voice-peer.ts'
import type { VoiceSession } from '../engine.ts'
import { type EmbeddedDeps, EmbeddedEngine } from './engine.ts'

const opened: EmbeddedEngine[] = []
after(async () => {
  await Promise.all(opened.map((engine) => engine.drain()))
})

function open(voice: Partial<EmbeddedDeps['voice']> = {}, lines: string[] = [], answerMs?: number) {
  const log = createLog('info', { write: (line) => lines.push(line) })
  const nothing = { tcpPort: undefined, publicIps: [], iceServers: [], turnSecret: undefined }
  const settings = { port: 0, processes: 1, ...nothing, ...voice }
  const engine = new EmbeddedEngine({ voice: settings, log, ...(answerMs === undefined ? {} : { answerMs }) })
  opened.push(engine)
  return engine
}

async function join(engine: EmbeddedEngine, session: VoiceSession): Promise<void> {
  await engine.join(session, FULL_RIGHTS)
}

/** A user who is connected, with media. */
async function enter(engine: EmbeddedEngine, session: VoiceSession, tone: number): Promise<VoicePeer> {
  await join(engine, session)
  return new VoicePeer({ tone }).join((offer) => engine.signal(session.id, offer))
}

function pidOf(engine: EmbeddedEngine, index: number): number {
  const pid = engine.pids[index]
  assert.ok(pid !== undefined)
  return pid
}

test('ENGINE-8: no process runs before the first join, and then new rooms go to the process with the fewest sessions', async () => {
  const engine = open({ processes: 2 })
  assert.deepEqual(engine.pids, [])
  assert.equal((await engine.stats()).processes, 0)
  await join(engine, newSession())
  assert.equal(engine.pids.length, 1)
  await join(engine, newSession())
  assert.equal(engine.pids.length, 2)
  const { processes, rooms, sessions } = await engine.stats()
  assert.deepEqual({ processes, rooms, sessions }, { processes: 2, rooms: 2, sessions: 2 })
})

test('ENGINE-9: sessions of a killed process are reported and continue elsewhere, and others are not affected', async () => {
  const engine = open({ processes: 2 })
  const told = recordEvents(engine)
  const [lost, kept] = [randomUUID(), randomUUID()]
  const sessions = [newSession(lost), newSession(kept), newSession(lost), newSession(kept)] as const
  const [anna, carl, ben, dora] = [
    await enter(engine, sessions[0], 300),
    await enter(engine, sessions[1], 500),
    await enter(engine, sessions[2], 700),
    await enter(engine, sessions[3], 900),
  ]
  await Promise.all([anna.hears(700), ben.hears(300), carl.hears(900), dora.hears(500)])
  const [killed, steady] = [pidOf(engine, 0), pidOf(engine, 1)]
  process.kill(killed, 'SIGKILL')
  await until(async () => told.nodeLost.length > 0, 'the engine tells whom it lost')
  assert.deepEqual(
    told.nodeLost.flatMap(({ sessionIds }) => sessionIds).sort(),
    [sessions[0].id, sessions[2].id].sort(),
  )
  const again = [await enter(engine, sessions[0], 300), await enter(engine, sessions[2], 700)] as const
  await Promise.all([again[0].hears(700), again[1].hears(300), carl.hears(900), dora.hears(500)])
  assert.deepEqual(engine.pids, [steady], 'a process that runs is preferred to one that is to be started')
  assert.deepEqual(told.left, [])
  for (const peer of [anna, ben, carl, dora, ...again]) peer.close()
})

test('ENGINE-3: a session ended while it joins is not admitted', async () => {
  const engine = open()
  const session = newSession()
  const refused = assert.rejects(engine.join(session, FULL_RIGHTS), { code: 'unknown_voice_session' })
  await engine.kick(session.id)
  await refused
  const { rooms, sessions } = await engine.stats()
  assert.deepEqual({ rooms, sessions }, { rooms: 0, sessions: 0 })
})

test('ENGINE-6: a session that joins again elsewhere leaves nothing behind', async () => {
  const engine = open()
  const session = newSession()
  await join(engine, session)
  await join(engine, { ...session, place: newSession().place })
  assert.equal((await engine.stats()).rooms, 1)
})

test('ENGINE-9: the only process is replaced, and the new one carries its sessions', async () => {
  const engine = open()
  const session = newSession()
  for (const _time of [1, 2, 3]) {
    await join(engine, session)
    const lost = Promise.withResolvers<void>()
    engine.on('nodeLost', () => lost.resolve())
    process.kill(pidOf(engine, 0), 'SIGKILL')
    await lost.promise
  }
  await join(engine, session)
  assert.equal((await engine.stats()).sessions, 1)
})

test('ENGINE-9: a hanging process is ended and reported', async () => {
  const engine = open({}, [], 2000)
  const told = recordEvents(engine)
  const session = newSession()
  await join(engine, session)
  process.kill(pidOf(engine, 0), 'SIGSTOP')
  await until(async () => told.nodeLost.length > 0, 'the engine tells whom it lost')
  assert.deepEqual(told.nodeLost, [{ sessionIds: [session.id] }])
})

test('ENGINE-10: a taken port makes joining fail, and the log says why', async () => {
  const lines: string[] = []
  const first = open({}, lines)
  await join(first, newSession())
  const port = Number(/"port":(\d+)/.exec(lines.join())?.[1])
  const second = open({ port }, lines)
  await assert.rejects(second.join(newSession(), FULL_RIGHTS), { code: 'voice_unavailable' })
  assert.match(
    lines.join(),
    new RegExp(`could not be opened at UDP port ${port}: is another program using it`),
  )
  assert.equal((await second.stats()).sessions, 0)
})

test('VTCP-7: each process has a TCP port of its own; a taken one leaves voice to UDP, and the log names it', async () => {
  const taken = createServer().listen(0)
  await once(taken, 'listening')
  const address = taken.address()
  assert.ok(typeof address === 'object' && address !== null)
  const lines: string[] = []
  const engine = open({ processes: 2, tcpPort: address.port }, lines)
  using first = await enter(engine, newSession(), 300)
  using second = await enter(engine, newSession(), 300)
  assert.deepEqual(
    [first, second].map(({ connection }) => connection.connectionState),
    ['connected', 'connected'],
  )
  assert.deepEqual(engine.openPorts.tcp, [address.port + 1])
  await until(
    async () => lines.join().includes(`TCP port ${address.port} could not be opened`),
    'the log says so',
  )
  taken.close()
})

test('VTCP-7: a session’s answer names the TCP port after all UDP ones, and none without it', async () => {
  const answerOf = async (tcpPort: number | undefined) => {
    const engine = open({ tcpPort })
    const session = newSession()
    await join(engine, session)
    using peer = new VoicePeer()
    const answer = await engine.signal(session.id, await peer.offer())
    return { answer, ports: engine.openPorts.tcp, addresses: engine.addresses.length }
  }
  const { answer, ports, addresses } = await answerOf(0)
  const [first = ''] = answer.split(/^m=/m).slice(1)
  const candidates = [...first.matchAll(/^a=candidate:(\d+) 1 (\w+) (\d+) \S+ (\d+) typ host(.*)\r$/gm)]
  const protocols = candidates.map(([, , protocol]) => protocol)
  const tcp = candidates.filter(([, , protocol]) => protocol === 'tcp')
  assert.ok(tcp.length > 0)
  assert.deepEqual(protocols, [...Array(addresses).fill('udp'), ...Array(tcp.length).fill('tcp')])
  const priorities = candidates.map(([, , , priority]) => Number(priority))
  assert.deepEqual(
    priorities,
    priorities.toSorted((a, b) => b - a),
  )
  assert.equal(new Set(candidates.map(([, id]) => id)).size, candidates.length)
  assert.deepEqual(
    new Set(tcp.map(([, , , , port, type]) => `${port}${type}`)),
    new Set([`${ports[0]} tcptype passive`]),
  )
  assert.doesNotMatch((await answerOf(undefined)).answer, /tcptype/)
})

test('ENGINE-11: media processes have no settings of the server, and no rights if it is root', {
  skip: process.platform === 'linux' ? false : 'it looks into /proc',
}, async () => {
  const engine = open()
  process.env.SECRET_KEY = 'known to the server alone'
  await join(engine, newSession())
  const pid = pidOf(engine, 0)
  assert.doesNotMatch(readFileSync(`/proc/${pid}/environ`, 'utf8'), /SECRET_KEY|PATH/)
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const uids = /^Uid:\s+(.+)$/m.exec(status)?.[1]?.split('\t').map(Number)
  const own = process.getuid?.()
  assert.deepEqual(new Set(uids), new Set([own === 0 ? 65533 : own]))
  if (own === 0) assert.match(status, /^CapEff:\s+0+$/m)
})
