import {
  MAX_VOICE_SDP_CHARACTERS,
  PICTURE_LINES,
  SCREEN_SOUND_SLOTS,
  VOICE_SLOTS,
  type VoiceGrant,
} from '@foyer/protocol/voice'
import { Check } from 'typebox/value'
import type { Place } from '#src/channels/place.ts'
import type { VoiceSettings } from '#src/config.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { announcedAddresses } from '#src/kernel/voice-addresses.ts'
import type {
  EngineStats,
  MediaRights,
  SlotChange,
  VoiceEngine,
  VoiceEvents,
  VoiceSession,
  WatchedSource,
} from '../engine.ts'
import { EngineEvents } from '../engine-events.ts'
import { iceServersFor } from '../ice-servers.ts'
import type { SfuOptions } from '../sfu/messages.ts'
import { type FromSfu, SignalAnswer, StatsAnswer } from './answers.ts'
import { type NodeDeps, SfuNode } from './sfu-node.ts'

export interface EmbeddedDeps {
  voice: Pick<VoiceSettings, 'port' | 'tcpPort' | 'processes' | 'publicIps' | 'iceServers' | 'turnSecret'>
  log: NodeDeps['log']
  answerMs?: number
}

/** A session in the room of its place. */
interface EngineSession {
  readonly session: VoiceSession
  readonly room: Room
  /** True once the process has accepted the session. */
  isTaken: boolean
}

/** The room of a place. One process carries all its sessions. */
interface Room {
  readonly place: Place
  readonly node: SfuNode
  readonly sessions: Set<EngineSession>
}

/**
 * Carries media in child processes, each with a UDP and a TCP port. A process starts when it gets its first session, or
 * with `open`.
 */
export class EmbeddedEngine implements VoiceEngine {
  /** Addresses at which clients connect, the preferred one first. */
  readonly addresses: readonly string[]
  readonly #settings: EmbeddedDeps['voice']
  readonly #nodes: readonly SfuNode[]
  readonly #events = new EngineEvents()
  readonly #sessions = new Map<string, EngineSession>()
  readonly #rooms = new Map<string, Room>()

  constructor({ voice, log, answerMs }: EmbeddedDeps) {
    const addresses = announcedAddresses(voice.publicIps)
    this.addresses = addresses
    this.#settings = voice
    this.#nodes = Array.from({ length: voice.processes }, (_, index) => {
      const node: SfuNode = new SfuNode({
        options: { ...portsOf(voice, index), addresses, publicIps: voice.publicIps },
        log,
        onMessage: (message) => this.#receive(node, message),
        onLost: () => this.#lose(node),
        answerMs,
      })
      return node
    })
  }

  /** Ids of the running processes. */
  get pids(): number[] {
    return this.#nodes.flatMap(({ pid }) => pid ?? [])
  }

  /** Ports of the running processes. */
  get openPorts(): { udp: number[]; tcp: number[] } {
    const open = this.#nodes.flatMap(({ openPorts }) => openPorts ?? [])
    return { udp: open.map(({ udp }) => udp), tcp: open.flatMap(({ tcp }) => tcp ?? []) }
  }

  on<Name extends keyof VoiceEvents>(name: Name, listener: (event: VoiceEvents[Name]) => void): void {
    this.#events.on(name, listener)
  }

  open(): void {
    for (const node of this.#nodes) node.open()
  }

  async join(session: VoiceSession, rights: MediaRights): Promise<VoiceGrant> {
    // A rejoin needs a new connection. `#take` registers the session at once, so that it can be ended while it joins.
    if (this.#sessions.has(session.id)) await this.kick(session.id)
    for (let tries = 0; tries < this.#nodes.length; tries += 1)
      if (await this.#take(session, rights)) return this.#grantFor(session.userId)
    throw new ApiError('voice_unavailable')
  }

  async signal(sessionId: string, offer: string): Promise<string> {
    if (offer.length > MAX_VOICE_SDP_CHARACTERS) throw new ApiError('invalid_offer')
    const hosted = this.#sessions.get(sessionId)
    if (hosted === undefined) throw new ApiError('unknown_voice_session')
    const answer = await hosted.room.node.request('signal', { sessionId, offer })
    if (!Check(SignalAnswer, answer)) throw new ApiError('voice_unavailable')
    return answer.answer
  }

  async watch(sessionId: string, watched: readonly WatchedSource[]): Promise<void> {
    await this.#sessions.get(sessionId)?.room.node.requestIfRunning('watch', { sessionId, watched })
  }

  async setRights(sessionId: string, rights: MediaRights): Promise<void> {
    await this.#sessions.get(sessionId)?.room.node.requestIfRunning('setRights', { sessionId, rights })
  }

  async kick(sessionId: string): Promise<void> {
    const hosted = this.#sessions.get(sessionId)
    if (hosted === undefined) return
    this.#leave(hosted)
    await hosted.room.node.requestIfRunning('kick', { sessionId })
  }

  async closeRoom({ channelId }: Place): Promise<void> {
    const room = this.#rooms.get(channelId)
    if (room === undefined) return
    for (const hosted of [...room.sessions]) this.#leave(hosted)
    await room.node.requestIfRunning('closeRoom', { roomId: channelId })
  }

  async stats(): Promise<EngineStats> {
    const answers = await Promise.all(this.#nodes.map((node) => node.requestIfRunning('stats', {})))
    const stats = answers.filter((answer) => Check(StatsAnswer, answer))
    const total = (name: keyof StatsAnswer) => stats.reduce((sum, each) => sum + each[name], 0)
    return {
      processes: stats.length,
      rooms: this.#rooms.size,
      sessions: this.#sessions.size,
      pictures: total('pictures'),
      packetsForwarded: total('packetsForwarded'),
      packetsDropped: total('packetsDropped'),
      tcpConnections: total('tcpConnections'),
    }
  }

  async drain(): Promise<void> {
    for (const hosted of [...this.#sessions.values()]) this.#leave(hosted)
    await Promise.all(this.#nodes.map((node) => node.drain()))
  }

  /**
   * Adds the session to its room, and to the process that carries the room.
   * @returns false if the process could not accept the session; the next try may choose another process
   * @throws ApiError if the session was ended while it joined
   */
  async #take(session: VoiceSession, rights: MediaRights): Promise<boolean> {
    const room = this.#roomOf(session.place)
    const hosted: EngineSession = { session, room, isTaken: false }
    this.#sessions.set(session.id, hosted)
    room.sessions.add(hosted)
    const given = { sessionId: session.id, roomId: session.place.channelId, userId: session.userId, rights }
    const isTaken = await room.node.request('join', given).then(
      () => true,
      () => false,
    )
    const isWanted = room.sessions.has(hosted) || !isTaken
    if (!isWanted) throw new ApiError('unknown_voice_session')
    hosted.isTaken = isTaken
    if (!isTaken) this.#leave(hosted)
    return isTaken
  }

  #roomOf(place: Place): Room {
    const known = this.#rooms.get(place.channelId)
    if (known !== undefined) return known
    const room = { place, node: this.#freest(), sessions: new Set<EngineSession>() }
    this.#rooms.set(place.channelId, room)
    return room
  }

  #freest(): SfuNode {
    const load = (node: SfuNode) =>
      [...this.#sessions.values()].reduce((sum, { room }) => sum + Number(room.node === node), 0)
    const [first] = this.#nodes
      .map((node) => ({ node, load: load(node) }))
      .sort((a, b) => Number(a.node.isShaky) - Number(b.node.isShaky) || a.load - b.load)
    if (first === undefined) throw new ApiError('voice_unavailable')
    return first.node
  }

  #leave(hosted: EngineSession): void {
    const { session, room } = hosted
    room.sessions.delete(hosted)
    if (this.#sessions.get(session.id) === hosted) this.#sessions.delete(session.id)
    const { channelId } = room.place
    if (room.sessions.size === 0 && this.#rooms.get(channelId) === room) this.#rooms.delete(channelId)
  }

  #grantFor(userId: string): VoiceGrant {
    const iceServers = iceServersFor(userId, this.#settings, Date.now())
    const video = { slots: PICTURE_LINES, sounds: SCREEN_SOUND_SLOTS }
    return { driver: 'slots', ice_servers: iceServers, slots: VOICE_SLOTS, video }
  }

  /** Handles a message of a process. A message about a session of another process is ignored. */
  #receive(node: SfuNode, message: FromSfu): void {
    if (message.kind === 'speaking') return this.#receiveSpeaking(node, message)
    if (!('sessionId' in message)) return
    const hosted = this.#sessions.get(message.sessionId)
    if (hosted?.room.node !== node) return
    const { sessionId } = message
    if (message.kind === 'joined') return this.#events.emit('joined', { sessionId })
    if (message.kind === 'left') {
      this.#leave(hosted)
      return this.#events.emit('left', { sessionId, reason: message.reason })
    }
    if (message.kind === 'slots')
      return this.#events.emit('slots', { sessionId, slots: message.slots.map(toSlot) })
    if (message.kind === 'codecs') return this.#events.emit('codecs', { sessionId, codecs: message.codecs })
    // JSON omits the user and source of a free slot.
    const slots = message.slots.map((change) => ({ userId: undefined, source: undefined, ...change }))
    this.#events.emit('pictures', { sessionId, slots, sounds: message.sounds.map(toSlot) })
  }

  #receiveSpeaking(node: SfuNode, { roomId, userIds }: Extract<FromSfu, { kind: 'speaking' }>): void {
    const room = this.#rooms.get(roomId)
    if (room?.node === node) this.#events.emit('speaking', { place: room.place, userIds })
  }

  #lose(node: SfuNode): void {
    const lost = [...this.#sessions.values()].filter(({ room }) => room.node === node)
    for (const hosted of lost) this.#leave(hosted)
    const sessionIds = lost.filter(({ isTaken }) => isTaken).map(({ session }) => session.id)
    if (sessionIds.length > 0) this.#events.emit('nodeLost', { sessionIds })
  }
}

/** Returns the ports of a process: the configured ports plus its index, or 0, which takes any free port. */
function portsOf(
  { port, tcpPort }: EmbeddedDeps['voice'],
  index: number,
): Pick<SfuOptions, 'port' | 'tcpPort'> {
  const portFrom = (first: number) => (first === 0 ? 0 : first + index)
  return { port: portFrom(port), tcpPort: tcpPort === undefined ? undefined : portFrom(tcpPort) }
}

function toSlot({ slot, userId }: { slot: number; userId?: string }): SlotChange {
  return { slot, userId }
}
