import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { VoiceGrant } from '@foyer/protocol/voice'
import pino from 'pino'
import { readConfig } from '#src/config.ts'
import { createVoiceEngine } from '#src/voice/create-engine.ts'
import type { MediaRights, VoiceEngine, VoiceEvents, VoiceSession } from '#src/voice/engine.ts'
import { LiveKitEngine } from '#src/voice/livekit/engine.ts'
import { readParticipantEvent } from '#src/voice/livekit/webhook.ts'
import { until } from '../until.ts'
import { FakeLiveKit } from './fake-livekit.ts'
import { VoicePeer } from './voice-peer.ts'

/** A connected client that sends audio as long as it may speak. */
export interface Guest {
  readonly session: VoiceSession
  /** Waits until exactly these guests are heard. */
  hears(...others: readonly Guest[]): Promise<void>
  /** Waits until the connection has ended. The guest must have received audio before. */
  isOut(): Promise<void>
  leave(): Promise<void>
}

/** A voice engine, and clients that use its grants. */
export interface EngineWorld {
  readonly engine: VoiceEngine
  /** Joins and connects a client, and waits until the engine has reported it. */
  enter(session: VoiceSession, rights?: MediaRights): Promise<Guest>
  /** Connects a client with a grant of the session. */
  connect(session: VoiceSession, grant: VoiceGrant): Promise<Guest>
  close(): Promise<void>
}

export const FULL_RIGHTS: MediaRights = {
  canSpeak: true,
  canHear: true,
  isSelfDeaf: false,
  canUseVideo: true,
  canShareScreen: true,
  canShareSound: true,
}

export function newSession(channelId: string = randomUUID()): VoiceSession {
  const place = { tenantId: randomUUID(), channelId }
  return { id: randomUUID(), userId: randomUUID(), place, loginId: randomUUID() }
}

/** Records the events of an engine. */
export function recordEvents(engine: VoiceEngine) {
  const told: { [Name in keyof VoiceEvents]: VoiceEvents[Name][] } = {
    joined: [],
    left: [],
    speaking: [],
    slots: [],
    pictures: [],
    codecs: [],
    nodeLost: [],
  }
  engine.on('joined', (event) => told.joined.push(event))
  engine.on('left', (event) => told.left.push(event))
  engine.on('speaking', (event) => told.speaking.push(event))
  engine.on('slots', (event) => told.slots.push(event))
  engine.on('pictures', (event) => told.pictures.push(event))
  engine.on('codecs', (event) => told.codecs.push(event))
  engine.on('nodeLost', (event) => told.nodeLost.push(event))
  return told
}

const log = pino({ level: 'silent' })

export async function openEmbedded(): Promise<EngineWorld> {
  const { voice } = readConfig({ VOICE_PORT: '0' })
  return new EmbeddedWorld(createVoiceEngine({ voice, log }))
}

/** Embedded engine whose clients are WebRTC peers, each with its own tone. */
class EmbeddedWorld implements EngineWorld {
  readonly engine: VoiceEngine
  readonly #peers: VoicePeer[] = []
  readonly #joined = new Set<string>()

  constructor(engine: VoiceEngine) {
    this.engine = engine
    engine.on('joined', ({ sessionId }) => this.#joined.add(sessionId))
  }

  async enter(session: VoiceSession, rights: MediaRights = FULL_RIGHTS): Promise<Guest> {
    const guest = await this.connect(session, await this.engine.join(session, rights))
    await until(async () => this.#joined.has(session.id), 'the engine tells who has joined')
    return guest
  }

  async connect(session: VoiceSession, grant: VoiceGrant): Promise<Guest> {
    assert.equal(grant.driver, 'slots')
    const peer = new VoicePeer({ tone: 300 + 200 * this.#peers.length })
    this.#peers.push(peer)
    await peer.join((offer) => this.engine.signal(session.id, offer))
    return new Listener(session, peer, 300 + 200 * (this.#peers.length - 1))
  }

  async close(): Promise<void> {
    for (const peer of this.#peers) peer.close()
    await this.engine.drain()
  }
}

class Listener implements Guest {
  readonly session: VoiceSession
  readonly #peer: VoicePeer
  readonly #tone: number

  constructor(session: VoiceSession, peer: VoicePeer, tone: number) {
    this.session = session
    this.#peer = peer
    this.#tone = tone
  }

  async hears(...others: readonly Guest[]): Promise<void> {
    const tones = others.map((other) => (other instanceof Listener ? other.#tone : 0))
    await this.#peer.hears(...tones.sort((a, b) => a - b))
  }

  async isOut(): Promise<void> {
    // A peer notices the end of its connection only after many seconds, but it notices the end of incoming audio at once.
    await this.#peer.hears()
  }

  async leave(): Promise<void> {
    this.#peer.close()
  }
}

/** Opens an engine for a fake LiveKit. Its clients have no media, and its webhooks reach the engine. */
export async function openLiveKit(
  options: { webhooks?: boolean; lookMs?: number; arrivalMs?: number } = {},
): Promise<EngineWorld & { liveKit: FakeLiveKit }> {
  const liveKit = await FakeLiveKit.start()
  const { webhooks = true, ...times } = options
  const engine = new LiveKitEngine({ livekit: liveKit.settings, log, ...times })
  liveKit.sendWebhook = async ({ body, token }) => {
    const news = webhooks ? await readParticipantEvent(liveKit.settings, body, token) : undefined
    if (news !== undefined) await engine.receive(news)
  }
  const joined = new Set<string>()
  engine.on('joined', ({ sessionId }) => joined.add(sessionId))
  const connect = async (session: VoiceSession, grant: VoiceGrant) => {
    assert.equal(grant.driver, 'livekit')
    return guestOf(liveKit, session, grant.driver === 'livekit' ? grant.token : '')
  }
  return {
    engine,
    liveKit,
    connect,
    async enter(session, rights = FULL_RIGHTS) {
      const guest = await connect(session, await engine.join(session, rights))
      await until(async () => joined.has(session.id), 'the engine tells who has joined')
      return guest
    },
    async close() {
      await engine.drain()
      await liveKit.close()
    },
  }
}

async function guestOf(liveKit: FakeLiveKit, session: VoiceSession, token: string): Promise<Guest> {
  const participant = await liveKit.connect(token)
  const isHere = () => liveKit.participants.get(session.id) === participant
  return {
    session,
    async hears(...others) {
      const expected = others.map((other) => other.session.id).sort()
      const isSo = async () => String(liveKit.heardBy(participant).sort()) === String(expected)
      await until(isSo, 'LiveKit lets hear whom it should')
    },
    isOut: () => until(async () => !isHere(), 'LiveKit ends the connection'),
    async leave() {
      if (isHere()) await liveKit.disconnect(session.id)
    },
  }
}
