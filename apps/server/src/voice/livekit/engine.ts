import type { VoiceGrant } from '@foyer/protocol/voice'
import type { Logger } from 'pino'
import type { Place } from '#src/channels/place.ts'
import type { LiveKitSettings } from '#src/config.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { EngineStats, MediaRights, VoiceEngine, VoiceEvents, VoiceSession } from '../engine.ts'
import { EngineEvents } from '../engine-events.ts'
import { LiveKitService } from './service.ts'

export interface LiveKitDeps {
  livekit: LiveKitSettings
  log: Pick<Logger, 'warn'>
  /** How often LiveKit is asked who is there. */
  lookMs?: number
  /** How long who was let in may take to come. */
  arrivalMs?: number
}

/** Somebody who may be in a room. */
interface Seat {
  readonly session: VoiceSession
  readonly seatedAt: number
  rights: MediaRights
  /** What LiveKit holds them to: at first the rights in the token. */
  held: MediaRights
  /** Of the connection; undefined as long as there is none. */
  sid: string | undefined
}

/** What LiveKit tells by its webhook. */
export interface ParticipantNews {
  event: 'participant_joined' | 'participant_left'
  room: string
  identity: string
  sid: string
}

const LOOK_MS = 10_000
const MAX_ARRIVAL_MS = 20_000
/** A room that we ended may be entered with a token from before for so long. */
const LINGER_MS = 2 * 60_000

/**
 * Lets a LiveKit carry media. Rooms have the channel's id, participants the session's. Its webhook tells at once who came and
 * left; asking it now and then finds what no webhook told, and whoever should not be there. LiveKit itself tells clients who
 * speaks.
 */
export class LiveKitEngine implements VoiceEngine {
  readonly #deps: LiveKitDeps
  readonly #service: LiveKitService
  readonly #events = new EngineEvents()
  readonly #seats = new Map<string, Seat>()
  /** Rooms that sessions were ended in, and until when they are looked into. */
  readonly #lingering = new Map<string, number>()
  #looks: NodeJS.Timeout | undefined
  #isLooking = false
  #isDrained = false

  constructor(deps: LiveKitDeps) {
    this.#deps = deps
    this.#service = new LiveKitService(deps.livekit)
  }

  on<Name extends keyof VoiceEvents>(name: Name, listener: (event: VoiceEvents[Name]) => void): void {
    this.#events.on(name, listener)
  }

  async join(session: VoiceSession, rights: MediaRights): Promise<VoiceGrant> {
    if (this.#isDrained) throw new ApiError('voice_unavailable')
    const seat = { session, seatedAt: performance.now(), rights, held: rights, sid: undefined }
    this.#seats.set(session.id, seat)
    this.#looks ??= setInterval(() => this.#look(), this.#deps.lookMs ?? LOOK_MS).unref()
    try {
      await this.#service.makeRoom(session.place.channelId)
    } catch (error) {
      this.#leave(seat)
      this.#deps.log.warn({ err: error }, 'LiveKit cannot be reached')
      throw new ApiError('voice_unavailable')
    }
    const token = await this.#service.mintToken(session, seat.held)
    return { driver: 'livekit', url: this.#deps.livekit.url.replace(/^http/, 'ws'), token }
  }

  /** Clients talk to LiveKit themselves. */
  async signal(): Promise<string> {
    throw new ApiError('unknown_voice_session')
  }

  async setRights(sessionId: string, rights: MediaRights): Promise<void> {
    const seat = this.#seats.get(sessionId)
    if (seat === undefined) return
    seat.rights = rights
    await this.#hold(seat)
  }

  async kick(sessionId: string): Promise<void> {
    const seat = this.#seats.get(sessionId)
    if (seat === undefined) return
    this.#leave(seat)
    const { channelId } = seat.session.place
    await this.#insist(this.#service.removeParticipant(channelId, sessionId))
  }

  async closeRoom({ channelId }: Place): Promise<void> {
    for (const seat of [...this.#seats.values()])
      if (seat.session.place.channelId === channelId) this.#leave(seat)
    await this.#insist(this.#service.deleteRoom(channelId))
  }

  /** As LiveKit has them. It does not tell of packets. */
  async stats(): Promise<EngineStats> {
    const rooms = await this.#service.listRooms(this.#places()).catch(() => [])
    const sessions = rooms.reduce((sum, { numParticipants }) => sum + numParticipants, 0)
    return { processes: 0, rooms: rooms.length, sessions, packetsForwarded: 0, packetsDropped: 0 }
  }

  async drain(): Promise<void> {
    this.#isDrained = true
    clearInterval(this.#looks)
    const places = this.#places()
    this.#seats.clear()
    await Promise.all(places.map((place) => this.#insist(this.#service.deleteRoom(place))))
  }

  /** What its webhook says; the signature is checked. */
  async hear({ event, room, identity, sid }: ParticipantNews): Promise<void> {
    const seat = this.#seats.get(identity)
    if (event === 'participant_left') return this.#hearLeft(seat, sid)
    if (seat?.session.place.channelId === room) return this.#hearJoined(seat, sid)
    // With the token of a session that was ended meanwhile, or moved. What is of no room of ours is another host's.
    if (this.#places().includes(room) || this.#lingering.has(room))
      await this.#insist(this.#service.removeParticipant(room, identity))
  }

  /** A connection of a session that has another one by now tells nothing. */
  #hearLeft(seat: Seat | undefined, sid: string): void {
    if (seat === undefined || seat.sid !== sid) return
    this.#leave(seat)
    this.#events.emit('left', { sessionId: seat.session.id, reason: 'left' })
  }

  async #hearJoined(seat: Seat, sid: string): Promise<void> {
    const isNew = seat.sid === undefined
    seat.sid = sid
    if (isNew) this.#events.emit('joined', { sessionId: seat.session.id })
    // Rights may have changed since the token was made.
    if (seat.held !== seat.rights) await this.#hold(seat)
  }

  async #hold(seat: Seat): Promise<void> {
    const { session, rights } = seat
    await this.#insist(
      this.#service.setRights(session, rights).then(() => {
        // Who is not there yet comes with what the token says.
        if (seat.sid !== undefined) seat.held = rights
      }),
    )
  }

  /** What fails is done again when LiveKit is asked next: it is the server's decision already. */
  async #insist(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => this.#deps.log.warn({ err: error }, 'LiveKit refused a request'))
  }

  #leave(seat: Seat): void {
    const { id, place } = seat.session
    if (this.#seats.get(id) === seat) this.#seats.delete(id)
    this.#lingering.set(place.channelId, performance.now() + LINGER_MS)
  }

  #places(): string[] {
    return [...new Set([...this.#seats.values()].map(({ session }) => session.place.channelId))]
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const now = performance.now()
    for (const [room, until] of this.#lingering) if (until < now) this.#lingering.delete(room)
    const rooms = new Set([...this.#places(), ...this.#lingering.keys()])
    for (const room of rooms) await this.#insist(this.#lookInto(room))
    this.#isLooking = false
  }

  async #lookInto(room: string): Promise<void> {
    const isLate = (seat: Seat) =>
      performance.now() - seat.seatedAt > (this.#deps.arrivalMs ?? MAX_ARRIVAL_MS)
    const seats = [...this.#seats.values()].filter(({ session }) => session.place.channelId === room)
    // Who comes while LiveKit is asked is missing in its answer.
    const awaited = seats.filter((seat) => seat.sid !== undefined || isLate(seat))
    const present = await this.#service.listParticipants(room)
    const sids = new Map(present.map(({ identity, sid }) => [identity, sid]))
    for (const seat of awaited) if (!sids.has(seat.session.id)) this.#miss(seat)
    for (const [identity, sid] of sids) await this.hear({ event: 'participant_joined', room, identity, sid })
  }

  #miss(seat: Seat): void {
    if (this.#seats.get(seat.session.id) !== seat) return
    this.#leave(seat)
    const reason = seat.sid === undefined ? 'unreachable' : 'left'
    this.#events.emit('left', { sessionId: seat.session.id, reason })
  }
}
