import type { TestContext } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import type { VoiceGrant, VoiceSignal, VoiceState } from '@foyer/protocol/voice'
import { Client } from '@foyer/sdk/client'
import type { Peer } from '@foyer/sdk/voice/slots-driver'
import type { VoiceStatus } from '@foyer/sdk/voice/status'
import { Voice } from '@foyer/sdk/voice/voice'
import type { VoiceTimings } from '@foyer/sdk/voice/voice-timings'
import { type FixtureConnection, GatewayFixture } from './gateway-fixture.ts'
import { makeTokens, makeUser } from './token-fixture.ts'

export const SLOTS = 2
export const VIDEO = { slots: 3, sounds: 1 }
/** Long timeouts and short retry delays, so that timers do not interfere with the tested behavior. */
const timings: VoiceTimings = {
  baseDelayMs: 1,
  maxDelayMs: 2,
  grantTimeoutMs: 60_000,
  mediaTimeoutMs: 60_000,
  mediaAttempts: 2,
  steadyMs: 60_000,
  interruptionMs: 60_000,
  reasonTimeoutMs: 60_000,
  selfIntervalMs: 60_000,
  watchIntervalMs: 60_000,
}

/** A client with scripted WebRTC connections instead of a browser's. */
export class VoiceFixture {
  readonly server: GatewayFixture
  readonly gateway: Client['gateway']
  readonly voice: Voice
  readonly peers: ScriptedPeer[] = []

  /** @param changes timings that differ from the usual ones */
  static async start(t: TestContext, changes: Partial<VoiceTimings> = {}): Promise<VoiceFixture> {
    const fixture = new VoiceFixture(await GatewayFixture.start(t), { ...timings, ...changes })
    t.after(() => {
      fixture.voice.close()
      fixture.gateway.close()
    })
    return fixture
  }

  private constructor(server: GatewayFixture, given: VoiceTimings) {
    this.server = server
    const gatewayTimings = { baseDelayMs: 5, maxDelayMs: 20 }
    this.gateway = new Client({ baseUrl: server.baseUrl, tokens: makeTokens(1), gatewayTimings }).gateway
    const openPeer = () => {
      this.peers.push(new ScriptedPeer())
      return this.peer
    }
    this.voice = new Voice({ gateway: this.gateway, openPeer, timings: given })
  }

  /** The newest peer connection. */
  get peer(): ScriptedPeer {
    const peer = this.peers.at(-1)
    if (peer === undefined) throw new Error('no connection was opened')
    return peer
  }

  /** Connects the gateway, up to READY. */
  async connect(): Promise<FixtureConnection> {
    const isReady = Promise.withResolvers<void>()
    this.gateway.on('READY', () => isReady.resolve())
    this.gateway.connect()
    const connection = await this.server.acceptReady()
    await isReady.promise
    return connection
  }

  /** Connects and joins the room, with flowing media. */
  async enter(roomId = 'hall', sessionId = 'first'): Promise<FixtureConnection> {
    const connection = await this.connect()
    const joined = this.voice.join({ room_id: roomId })
    await this.letIn(connection, sessionId)
    await joined
    return connection
  }

  /** Grants the next request, answers the offer, and lets media flow. */
  async letIn(connection: FixtureConnection, sessionId: string): Promise<void> {
    grant(connection, sessionId, (await asked(connection)).nonce)
    await this.comeUp(connection)
  }

  async comeUp(connection: FixtureConnection): Promise<void> {
    const { session_id } = await offered(connection)
    signal(connection, { kind: 'answer', session_id, sdp: 'answer' })
    await this.peer.isAnswered
    this.peer.become('connected')
  }

  reaches(phase: VoiceStatus['phase']): Promise<VoiceStatus> {
    return this.until((status) => status.phase === phase)
  }

  until(fits: (status: VoiceStatus) => boolean): Promise<VoiceStatus> {
    if (fits(this.voice.status)) return Promise.resolve(this.voice.status)
    return new Promise((resolve) => {
      const stop = this.voice.onStatus((status) => {
        if (!fits(status)) return
        stop()
        resolve(status)
      })
    })
  }
}

/** Returns the data of the next voice state request (op 4) that the client sends. */
export async function asked(connection: FixtureConnection) {
  return Object((await connection.receive(Opcode.VoiceStateUpdate)).d)
}

/** Returns the data of the next offer that the client sends. */
export async function offered(connection: FixtureConnection) {
  return Object((await connection.receive(Opcode.VoiceSignal)).d)
}

export function signal(connection: FixtureConnection, given: VoiceSignal): void {
  connection.send(Opcode.VoiceSignal, given)
}

/** @param video numbers of slots for video and screen audio; none by default, as from an older server */
export function grant(
  connection: FixtureConnection,
  session_id: string,
  nonce?: string,
  video: typeof VIDEO | null = null,
): void {
  const slots: VoiceGrant = { driver: 'slots', ice_servers: [], slots: SLOTS, video }
  signal(connection, { kind: 'grant', session_id, grant: slots, ...(nonce === undefined ? {} : { nonce }) })
}

export function refuse(connection: FixtureConnection, code: string, nonce: string): void {
  connection.send(Opcode.Error, { code, error: code, nonce })
}

/** Returns the client's own voice state in a room of a space. @param room_id null after leaving the room */
export function stateIn(room_id: string | null, session_id = 'first'): VoiceState {
  const flags = { self_mute: false, self_deaf: false, self_video: false, self_stream: false }
  const place = { space_id: 'space', room_id, conversation_id: null }
  const joined_at = '2026-01-01T00:00:00.000Z'
  return { user_id: makeUser().id, ...place, session_id, ...flags, mute: false, deaf: false, joined_at }
}

export function makeTrack(contentHint = ''): MediaStreamTrack {
  return Object.assign(JSON.parse('{}'), { contentHint, stop: () => {} })
}

/** Fake of RTCRtpSender that records its track and its last parameters. */
class ScriptedSender {
  track: MediaStreamTrack | null = null
  parameters: RTCRtpSendParameters
  isChanging = false
  refusedCodecs: readonly string[] = []
  readonly #onTrack: (track: MediaStreamTrack | null) => void

  constructor(
    onTrack: (track: MediaStreamTrack | null) => void = () => undefined,
    encodings: RTCRtpEncodingParameters[] = [{}],
  ) {
    this.#onTrack = onTrack
    const codecs = ['VP8', 'VP9', 'H264', 'AV1'].map((name) => ({ mimeType: `video/${name}` }))
    this.parameters = Object({ encodings, codecs, transactionId: 'one' })
  }

  async replaceTrack(track: MediaStreamTrack | null): Promise<void> {
    this.track = track
    this.#onTrack(track)
  }

  getParameters(): RTCRtpSendParameters {
    return this.parameters
  }

  /** Sets the parameters. Like browsers, refuses another change while one is in progress. */
  async setParameters(parameters: RTCRtpSendParameters): Promise<void> {
    if (this.isChanging) throw new Error('the parameters are changing')
    this.isChanging = true
    await new Promise((resolve) => setImmediate(resolve))
    this.isChanging = false
    const names = parameters.encodings.map((encoding) => Object(encoding).codec?.mimeType)
    if (names.some((name) => this.refusedCodecs.includes(name))) throw new Error('the codec is refused')
    this.parameters = parameters
  }
}

/** Fake of the parts of RTCPeerConnection that the SDK uses. */
class ScriptedPeer implements Peer {
  connectionState: RTCPeerConnectionState = 'new'
  localDescription: { sdp: string } | null = null
  isClosed = false
  readonly directions: string[] = []
  readonly received: MediaStreamTrack[] = []
  readonly #answered = Promise.withResolvers<void>()
  readonly isAnswered = this.#answered.promise
  /** The track being sent; null for none. */
  sent: MediaStreamTrack | null = null
  /** Kinds and directions of the m-lines after the m-lines for voices. */
  readonly lines: string[] = []
  readonly pictures: ScriptedSender[] = []
  #notify = () => {}

  become(state: RTCPeerConnectionState): void {
    this.connectionState = state
    this.#notify()
  }

  addEventListener(_name: string, listener: () => void): void {
    this.#notify = listener
  }

  addTransceiver(
    source: MediaStreamTrack | 'audio' | 'video',
    { direction, sendEncodings }: { direction: string; sendEncodings?: RTCRtpEncodingParameters[] },
  ) {
    this.directions.push(direction)
    const track = makeTrack()
    if (direction === 'recvonly') this.received.push(track)
    if (this.directions.length > SLOTS + 1)
      return this.#pictureLine(`${source} ${direction}`, track, sendEncodings)
    if (direction === 'sendonly' && typeof source !== 'string') this.sent = source
    const sender = new ScriptedSender((next) => {
      this.sent = next
    })
    return { sender, receiver: { track } }
  }

  #pictureLine(line: string, track: MediaStreamTrack, encodings?: RTCRtpEncodingParameters[]) {
    this.lines.push(line)
    const sender = new ScriptedSender(undefined, encodings)
    if (line.endsWith('sendonly')) this.pictures.push(sender)
    return { sender, receiver: { track } }
  }

  async createOffer(): Promise<RTCSessionDescriptionInit> {
    return { type: 'offer', sdp: 'offer' }
  }

  async setLocalDescription({ sdp = '' }: RTCSessionDescriptionInit): Promise<void> {
    this.localDescription = { sdp }
  }

  async setRemoteDescription(): Promise<void> {
    this.#answered.resolve()
  }

  async getStats() {
    return new Map<string, object>()
  }

  close(): void {
    this.isClosed = true
  }
}
