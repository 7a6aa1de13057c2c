import { MAX_VOICE_SDP_CHARACTERS, VOICE_SLOTS, type VoiceGrant } from '@foyer/protocol/voice'
import { Check } from 'typebox/value'
import type { Place } from '#src/channels/place.ts'
import type { VoiceSettings } from '#src/config.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { EngineStats, MediaRights, VoiceEngine, VoiceEvents, VoiceSession } from '../engine.ts'
import { EngineEvents } from '../engine-events.ts'
import { iceServersFor } from '../ice-servers.ts'
import { announcedAddresses } from './announced-addresses.ts'
import { type FromSfu, SignalAnswer, StatsAnswer } from './answers.ts'
import { type NodeDeps, SfuNode } from './sfu-node.ts'

export interface EmbeddedDeps {
  voice: Pick<VoiceSettings, 'port' | 'processes' | 'publicIps' | 'iceServers' | 'turnSecret'>
  log: NodeDeps['log']
  answerMs?: number
}

/** A session in the room of its place. */
interface Seat {
  readonly session: VoiceSession
  readonly room: Room
  /** Whether its process has it. */
  isTaken: boolean
}

/** All of a place are carried by one process. */
interface Room {
  readonly place: Place
  readonly node: SfuNode
  readonly seats: Set<Seat>
}

/** Carries media in processes of this server, a UDP port each. They start with the first who joins. */
export class EmbeddedEngine implements VoiceEngine {
  /** That clients are told, in this order. */
  readonly addresses: readonly string[]
  readonly #settings: EmbeddedDeps['voice']
  readonly #nodes: readonly SfuNode[]
  readonly #events = new EngineEvents()
  readonly #seats = new Map<string, Seat>()
  readonly #rooms = new Map<string, Room>()

  constructor({ voice, log, answerMs }: EmbeddedDeps) {
    const addresses = announcedAddresses(voice.publicIps)
    this.addresses = addresses
    this.#settings = voice
    this.#nodes = Array.from({ length: voice.processes }, (_, index) => {
      const port = voice.port === 0 ? 0 : voice.port + index
      const node: SfuNode = new SfuNode({
        options: { port, addresses },
        log,
        onMessage: (message) => this.#hear(node, message),
        onLost: () => this.#lose(node),
        answerMs,
      })
      return node
    })
  }

  /** Of the processes that run. */
  get pids(): number[] {
    return this.#nodes.flatMap(({ pid }) => pid ?? [])
  }

  /** Of the processes that run. */
  get openPorts(): number[] {
    return this.#nodes.flatMap(({ openPort }) => openPort ?? [])
  }

  on<Name extends keyof VoiceEvents>(name: Name, listener: (event: VoiceEvents[Name]) => void): void {
    this.#events.on(name, listener)
  }

  async join(session: VoiceSession, rights: MediaRights): Promise<VoiceGrant> {
    // Its new offer is for a new connection. Else it is there from now on: who ends it from here on finds it.
    if (this.#seats.has(session.id)) await this.kick(session.id)
    for (let tries = 0; tries < this.#nodes.length; tries += 1)
      if (await this.#take(session, rights)) return this.#grantFor(session.userId)
    throw new ApiError('voice_unavailable')
  }

  async signal(sessionId: string, offer: string): Promise<string> {
    if (offer.length > MAX_VOICE_SDP_CHARACTERS) throw new ApiError('invalid_offer')
    const seat = this.#seats.get(sessionId)
    if (seat === undefined) throw new ApiError('unknown_voice_session')
    const answer = await seat.room.node.request('signal', { sessionId, offer })
    if (!Check(SignalAnswer, answer)) throw new ApiError('voice_unavailable')
    return answer.answer
  }

  async setRights(sessionId: string, rights: MediaRights): Promise<void> {
    await this.#seats.get(sessionId)?.room.node.tell('setRights', { sessionId, rights })
  }

  async kick(sessionId: string): Promise<void> {
    const seat = this.#seats.get(sessionId)
    if (seat === undefined) return
    this.#leave(seat)
    await seat.room.node.tell('kick', { sessionId })
  }

  async closeRoom({ channelId }: Place): Promise<void> {
    const room = this.#rooms.get(channelId)
    if (room === undefined) return
    for (const seat of [...room.seats]) this.#leave(seat)
    await room.node.tell('closeRoom', { roomId: channelId })
  }

  async stats(): Promise<EngineStats> {
    const answers = await Promise.all(this.#nodes.map((node) => node.tell('stats', {})))
    const stats = answers.filter((answer) => Check(StatsAnswer, answer))
    const total = (name: keyof StatsAnswer) => stats.reduce((sum, each) => sum + each[name], 0)
    return {
      processes: stats.length,
      rooms: this.#rooms.size,
      sessions: this.#seats.size,
      packetsForwarded: total('packetsForwarded'),
      packetsDropped: total('packetsDropped'),
    }
  }

  async drain(): Promise<void> {
    for (const seat of [...this.#seats.values()]) this.#leave(seat)
    await Promise.all(this.#nodes.map((node) => node.drain()))
  }

  /**
   * @returns false when the process of its room could not have it: the next try may be given another one
   * @throws ApiError where the session was ended meanwhile
   */
  async #take(session: VoiceSession, rights: MediaRights): Promise<boolean> {
    const room = this.#roomOf(session.place)
    const seat: Seat = { session, room, isTaken: false }
    this.#seats.set(session.id, seat)
    room.seats.add(seat)
    const given = { sessionId: session.id, roomId: session.place.channelId, userId: session.userId, rights }
    const isTaken = await room.node.request('join', given).then(
      () => true,
      () => false,
    )
    const isWanted = room.seats.has(seat) || !isTaken
    if (!isWanted) throw new ApiError('unknown_voice_session')
    seat.isTaken = isTaken
    if (!isTaken) this.#leave(seat)
    return isTaken
  }

  #roomOf(place: Place): Room {
    const known = this.#rooms.get(place.channelId)
    if (known !== undefined) return known
    const room = { place, node: this.#freest(), seats: new Set<Seat>() }
    this.#rooms.set(place.channelId, room)
    return room
  }

  #freest(): SfuNode {
    const load = (node: SfuNode) =>
      [...this.#seats.values()].reduce((sum, { room }) => sum + Number(room.node === node), 0)
    const [first] = this.#nodes
      .map((node) => ({ node, load: load(node) }))
      .sort((a, b) => Number(a.node.isShaky) - Number(b.node.isShaky) || a.load - b.load)
    if (first === undefined) throw new ApiError('voice_unavailable')
    return first.node
  }

  #leave(seat: Seat): void {
    const { session, room } = seat
    room.seats.delete(seat)
    if (this.#seats.get(session.id) === seat) this.#seats.delete(session.id)
    const { channelId } = room.place
    if (room.seats.size === 0 && this.#rooms.get(channelId) === room) this.#rooms.delete(channelId)
  }

  #grantFor(userId: string): VoiceGrant {
    const iceServers = iceServersFor(userId, this.#settings, Date.now())
    return { driver: 'slots', ice_servers: iceServers, slots: VOICE_SLOTS }
  }

  /** A process speaks for whom it carries, and for nobody else. */
  #hear(node: SfuNode, message: FromSfu): void {
    if (message.kind === 'speaking') return this.#hearSpeaking(node, message)
    if (!('sessionId' in message)) return
    const seat = this.#seats.get(message.sessionId)
    if (seat?.room.node !== node) return
    const { sessionId } = message
    if (message.kind === 'joined') return this.#events.emit('joined', { sessionId })
    if (message.kind === 'left') {
      this.#leave(seat)
      return this.#events.emit('left', { sessionId, reason: message.reason })
    }
    const slots = message.slots.map(({ slot, userId }) => ({ slot, userId }))
    this.#events.emit('slots', { sessionId, slots })
  }

  #hearSpeaking(node: SfuNode, { roomId, userIds }: Extract<FromSfu, { kind: 'speaking' }>): void {
    const room = this.#rooms.get(roomId)
    if (room?.node === node) this.#events.emit('speaking', { place: room.place, userIds })
  }

  #lose(node: SfuNode): void {
    const lost = [...this.#seats.values()].filter(({ room }) => room.node === node)
    for (const seat of lost) this.#leave(seat)
    const sessionIds = lost.filter(({ isTaken }) => isTaken).map(({ session }) => session.id)
    if (sessionIds.length > 0) this.#events.emit('nodeLost', { sessionIds })
  }
}
