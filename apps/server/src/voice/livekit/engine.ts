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
  /** Interval at which LiveKit is asked for participants. */
  lookMs?: number
  /** Time a user with a grant may take to connect. */
  arrivalMs?: number
}

/** A session that was granted a token. Its client may not have connected yet. */
interface LiveKitSession {
  readonly session: VoiceSession
  readonly joinedAt: number
  rights: MediaRights
  /** The rights LiveKit enforces; initially those in the token. */
  held: MediaRights
  /** Ends when LiveKit has answered all requests so far to change the rights. */
  holding: Promise<void>
  /** LiveKit's id of the connection; undefined until the client connects. */
  sid: string | undefined
}

/** An event of LiveKit's webhook. */
export interface ParticipantEvent {
  event: 'participant_joined' | 'participant_left'
  room: string
  identity: string
  sid: string
}

const LOOK_MS = 10_000
const MAX_ARRIVAL_MS = 20_000
/** Time for which a room is checked after a session has ended: its client may enter again with an old token. */
const LINGER_MS = 2 * 60_000

/**
 * Uses a LiveKit server to carry media. A LiveKit room has the id of the channel, and a participant has the id of the
 * session. LiveKit's webhook reports joins and leaves immediately. Polling finds joins and leaves whose webhook was
 * lost, and participants who should not be there. LiveKit itself notifies clients of speakers.
 */
export class LiveKitEngine implements VoiceEngine {
  readonly #deps: LiveKitDeps
  readonly #service: LiveKitService
  readonly #events = new EngineEvents()
  readonly #sessions = new Map<string, LiveKitSession>()
  /** Rooms with ended sessions, and the time until which they are checked. */
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

  /** Does nothing: LiveKit is already running. */
  open(): void {}

  async join(session: VoiceSession, rights: MediaRights): Promise<VoiceGrant> {
    if (this.#isDrained) throw new ApiError('voice_unavailable')
    const known = { session, joinedAt: performance.now(), rights, held: rights }
    const participant = { ...known, holding: Promise.resolve(), sid: undefined }
    this.#sessions.set(session.id, participant)
    this.#looks ??= setInterval(() => this.#look(), this.#deps.lookMs ?? LOOK_MS).unref()
    try {
      await this.#service.makeRoom(session.place.channelId)
    } catch (error) {
      this.#leave(participant)
      this.#deps.log.warn({ err: error }, 'LiveKit cannot be reached')
      throw new ApiError('voice_unavailable')
    }
    const token = await this.#service.mintToken(session, participant.held)
    return { driver: 'livekit', url: this.#deps.livekit.url.replace(/^http/, 'ws'), token }
  }

  /** Always refuses: clients connect to LiveKit directly. */
  async signal(): Promise<string> {
    throw new ApiError('unknown_voice_session')
  }

  /** Does nothing: clients request pictures from LiveKit directly. */
  async watch(): Promise<void> {}

  async setRights(sessionId: string, rights: MediaRights): Promise<void> {
    const participant = this.#sessions.get(sessionId)
    if (participant === undefined) return
    participant.rights = rights
    await this.#hold(participant)
  }

  async kick(sessionId: string): Promise<void> {
    const participant = this.#sessions.get(sessionId)
    if (participant === undefined) return
    this.#leave(participant)
    const { channelId } = participant.session.place
    await this.#insist(this.#service.removeParticipant(channelId, sessionId))
  }

  async closeRoom({ channelId }: Place): Promise<void> {
    for (const participant of [...this.#sessions.values()])
      if (participant.session.place.channelId === channelId) this.#leave(participant)
    await this.#insist(this.#service.deleteRoom(channelId))
  }

  /** Returns LiveKit's figures. It does not report packets or pictures. */
  async stats(): Promise<EngineStats> {
    const rooms = await this.#service.listRooms(this.#places()).catch(() => [])
    const sessions = rooms.reduce((sum, { numParticipants }) => sum + numParticipants, 0)
    const packets = { packetsForwarded: 0, packetsDropped: 0, tcpConnections: 0 }
    return { processes: 0, rooms: rooms.length, sessions, pictures: 0, ...packets }
  }

  async drain(): Promise<void> {
    this.#isDrained = true
    clearInterval(this.#looks)
    const places = this.#places()
    this.#sessions.clear()
    await Promise.all(places.map((place) => this.#insist(this.#service.deleteRoom(place))))
  }

  /** Handles an event of the webhook, whose signature was verified. */
  async receive({ event, room, identity, sid }: ParticipantEvent): Promise<void> {
    const participant = this.#sessions.get(identity)
    if (event === 'participant_left') return this.#receiveLeft(participant, sid)
    if (participant?.session.place.channelId === room) return this.#receiveJoined(participant, sid)
    // This participant has the token of a session that has ended or moved. Unknown rooms are ignored, because
    // they belong to other hosts.
    if (this.#places().includes(room) || this.#lingering.has(room))
      await this.#insist(this.#service.removeParticipant(room, identity))
  }

  /** Ignores the end of a connection that the session has replaced. */
  #receiveLeft(participant: LiveKitSession | undefined, sid: string): void {
    if (participant === undefined || participant.sid !== sid) return
    this.#leave(participant)
    this.#events.emit('left', { sessionId: participant.session.id, reason: 'left' })
  }

  async #receiveJoined(participant: LiveKitSession, sid: string): Promise<void> {
    const isNew = participant.sid === undefined
    participant.sid = sid
    if (isNew) this.#events.emit('joined', { sessionId: participant.session.id })
    // Rights may have changed since the token was made.
    if (participant.held !== participant.rights) await this.#hold(participant)
  }

  /** Sends one request at a time: of two, LiveKit could receive the older one last, and keep its rights. */
  #hold(participant: LiveKitSession): Promise<void> {
    participant.holding = participant.holding.then(() => this.#insist(this.#sendRights(participant)))
    return participant.holding
  }

  async #sendRights(participant: LiveKitSession): Promise<void> {
    const { session, rights, held } = participant
    if (rights === held) return
    await this.#service.setRights(session, rights)
    // A client that is not connected yet will first have the rights in its token, so these rights are set again when it joins.
    if (participant.sid !== undefined) participant.held = rights
  }

  /** Logs a failure instead of throwing it: the decision is final, and polling tries again. */
  async #insist(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => this.#deps.log.warn({ err: error }, 'LiveKit refused a request'))
  }

  #leave(participant: LiveKitSession): void {
    const { id, place } = participant.session
    if (this.#sessions.get(id) === participant) this.#sessions.delete(id)
    this.#lingering.set(place.channelId, performance.now() + LINGER_MS)
  }

  #places(): string[] {
    return [...new Set([...this.#sessions.values()].map(({ session }) => session.place.channelId))]
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
    const isLate = (participant: LiveKitSession) =>
      performance.now() - participant.joinedAt > (this.#deps.arrivalMs ?? MAX_ARRIVAL_MS)
    const participants = [...this.#sessions.values()].filter(
      ({ session }) => session.place.channelId === room,
    )
    // Participants are selected before the request, because its answer may lack participants who connect while it runs.
    const awaited = participants.filter((participant) => participant.sid !== undefined || isLate(participant))
    const present = await this.#service.listParticipants(room)
    const sids = new Map(present.map(({ identity, sid }) => [identity, sid]))
    for (const participant of awaited) if (!sids.has(participant.session.id)) this.#miss(participant)
    for (const [identity, sid] of sids)
      await this.receive({ event: 'participant_joined', room, identity, sid })
  }

  #miss(participant: LiveKitSession): void {
    if (this.#sessions.get(participant.session.id) !== participant) return
    this.#leave(participant)
    const reason = participant.sid === undefined ? 'unreachable' : 'left'
    this.#events.emit('left', { sessionId: participant.session.id, reason })
  }
}
