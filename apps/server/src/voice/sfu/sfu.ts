import { writeAnswer } from './answer.ts'
import { type ArrivalDecision, type ArrivalLimits, newLimits } from './arrival-limits.ts'
import { Member } from './member.ts'
import type { Patience, SfuMessage, SfuOptions, SfuRequests, SfuStats } from './messages.ts'
import { readOffer } from './offer.ts'
import { Peer } from './peer.ts'
import type { PacketCounts } from './publisher.ts'
import { Refusal } from './refusal.ts'
import { Room } from './room.ts'
import { isRtcp } from './rtp-packet.ts'
import type { TcpPort } from './tcp/tcp-port.ts'
import type { MemberPictures, PacketReceiver } from './video/member-pictures.ts'

/**
 * Default times. Browsers send RTCP every few seconds, even if they receive nothing. If a client without RTCP is gone,
 * ICE detects it after 27 s.
 */
const PATIENCE: Patience = { offerMs: 15_000, mediaMs: 15_000, silenceMs: 20_000 }
const TICK_MS = 50
const PACE_MS = 10

interface Session {
  readonly member: Member
  readonly room: Room
  readonly roomId: string
  /** Timer that ends the session, unless the next step of the join comes in time. */
  deadline: NodeJS.Timeout | undefined
  readonly limits: ArrivalLimits
  readonly pictureLimits: ArrivalLimits
  readonly reportLimits: ArrivalLimits
  /** Time of the last packet from a client that sends reports; undefined for other clients. */
  receivedAt: number | undefined
}

export type Given<Name extends keyof SfuRequests> = SfuRequests[Name]['given']

/** All rooms of one process. */
export class Sfu {
  readonly #options: SfuOptions
  readonly #patience: Patience
  readonly #send: (message: SfuMessage) => void
  readonly #tcp: TcpPort | undefined
  readonly #sessions = new Map<string, Session>()
  readonly #rooms = new Map<string, Room>()
  readonly #counts: PacketCounts = { forwarded: 0, dropped: 0 }
  #ticking: NodeJS.Timeout | undefined
  #pacing: NodeJS.Timeout | undefined
  #isDrained = false

  constructor(options: SfuOptions, send: (message: SfuMessage) => void, tcp?: TcpPort) {
    this.#options = options
    this.#patience = options.patience ?? PATIENCE
    this.#send = send
    this.#tcp = tcp
  }

  join({ sessionId, roomId, userId, rights }: Given<'join'>): void {
    if (this.#isDrained) throw new Refusal('voice_unavailable', 'this process accepts no new sessions')
    this.#end(sessionId)
    const member = new Member({ sessionId, userId, rights })
    const room = this.#rooms.get(roomId) ?? this.#openRoom(roomId)
    room.enter(member)
    const limits = newLimits(performance.now())
    const session: Session = { member, room, roomId, ...limits, deadline: undefined, receivedAt: undefined }
    this.#sessions.set(sessionId, session)
    this.#setDeadline(session, this.#patience.offerMs)
    this.#ticking ??= setInterval(() => this.#tick(), TICK_MS)
    this.#pacing ??= setInterval(() => this.#pace(), PACE_MS)
  }

  watch({ sessionId, watched }: Given<'watch'>): void {
    const session = this.#sessions.get(sessionId)
    session?.member.watch(watched)
    session?.room.changePictures(performance.now())
  }

  signal({ sessionId, offer: sdp }: Given<'signal'>): { answer: string } {
    const session = this.#sessions.get(sessionId)
    if (!session) throw new Refusal('unknown_voice_session', 'there is no such voice session')
    const { member, room } = session
    if (member.peer) throw new Refusal('invalid_offer', 'a grant can only be used for one offer')
    const offer = readOffer(sdp)
    const peer = new Peer(offer, this.#options.port, this.#peerListener(session))
    member.prepare(offer, this.#counts)
    member.peer = peer
    this.#setDeadline(session, this.#patience.mediaMs)
    room.begin(performance.now())
    const { ufrag, password, fingerprint } = peer
    this.#tcp?.admit(ufrag, password)
    const local = { ...this.#options, tcpPort: this.#tcp?.port, ufrag, password, fingerprint }
    return { answer: writeAnswer(offer, local, member.streamsOf(offer)) }
  }

  setRights({ sessionId, rights }: Given<'setRights'>): void {
    const session = this.#sessions.get(sessionId)
    session?.room.setRights(session.member, rights, performance.now())
  }

  kick({ sessionId }: Given<'kick'>): void {
    this.#end(sessionId)
  }

  closeRoom({ roomId }: Given<'closeRoom'>): void {
    for (const member of [...(this.#rooms.get(roomId)?.members ?? [])]) this.#end(member.sessionId)
  }

  stats(): SfuStats {
    return {
      rooms: this.#rooms.size,
      sessions: this.#sessions.size,
      pictures: [...this.#sessions.values()].reduce((sum, { member }) => sum + member.livePictures, 0),
      packetsForwarded: this.#counts.forwarded,
      packetsDropped: this.#counts.dropped + (this.#tcp?.dropped ?? 0),
      tcpConnections: this.#tcp?.connections ?? 0,
      residentBytes: process.memoryUsage.rss(),
    }
  }

  drain(): void {
    this.#isDrained = true
    for (const sessionId of [...this.#sessions.keys()]) this.#end(sessionId)
    this.#tcp?.close()
  }

  #openRoom(roomId: string): Room {
    const room = new Room({
      onSlots: (sessionId, slots) => this.#send({ kind: 'slots', sessionId, slots }),
      onPictures: (sessionId, changes) => this.#send({ kind: 'pictures', sessionId, ...changes }),
      onCodecs: (sessionId, codecs) => this.#send({ kind: 'codecs', sessionId, codecs }),
      onSpeaking: (userIds) => this.#send({ kind: 'speaking', roomId, userIds }),
    })
    this.#rooms.set(roomId, room)
    return room
  }

  #peerListener(session: Session): ConstructorParameters<typeof Peer>[2] {
    const { member, room } = session
    return {
      onConnected: () => {
        clearTimeout(session.deadline)
        member.isConnected = true
        room.connected(performance.now())
        this.#send({ kind: 'joined', sessionId: member.sessionId })
      },
      onEnded: () => this.#lose(session),
      onPacket: (received) => this.#receive(session, received),
      onProblem: (error) => this.#send({ kind: 'problem', message: describe(error) }),
    }
  }

  #receive(session: Session, received: Buffer): void {
    const nowMs = performance.now()
    const { member, room, limits } = session
    const isReport = isRtcp(received)
    if (isReport || session.receivedAt !== undefined) session.receivedAt = nowMs
    const { pictures } = member
    if (pictures && isReport) return this.#receiveReport(session, pictures, received, nowMs)
    const receive = pictures?.receiverOf(received, nowMs)
    if (receive) return this.#receivePicture(session, receive, received, nowMs)
    const decision = limits.check(received.length, nowMs)
    if (decision === 'pass' && isReport) return
    if (decision === 'pass' && member.publisher) {
      if (member.publisher.receive(received, nowMs)) room.speaks(nowMs)
      return
    }
    this.#refuse(session, decision)
  }

  /** Handles RTCP from a client that has m-lines for video. */
  #receiveReport(session: Session, pictures: MemberPictures, received: Buffer, nowMs: number): void {
    const { peer } = session.member
    const decision = session.reportLimits.check(received.length, nowMs)
    if (decision !== 'pass' || !peer) return this.#refuse(session, decision)
    pictures.receiveReport(received, peer, nowMs)
  }

  #receivePicture(session: Session, receive: PacketReceiver, received: Buffer, nowMs: number): void {
    const decision = session.pictureLimits.check(received.length, nowMs)
    if (decision !== 'pass') return this.#refuse(session, decision)
    if (receive(received, nowMs)) session.room.hasNewPictures = true
  }

  #refuse(session: Session, decision: ArrivalDecision): void {
    this.#counts.dropped += 1
    if (decision === 'flood') this.#lose(session)
  }

  #setDeadline(session: Session, ms: number): void {
    clearTimeout(session.deadline)
    session.deadline = setTimeout(() => this.#lose(session), ms)
  }

  /** Ends a session that the server did not end, and notifies the server. */
  #lose({ member: { sessionId, isConnected } }: Session): void {
    this.#end(sessionId)
    this.#send({ kind: 'left', sessionId, reason: isConnected ? 'left' : 'unreachable' })
  }

  #end(sessionId: string): void {
    const session = this.#sessions.get(sessionId)
    if (!session) return
    const { member, room, roomId } = session
    clearTimeout(session.deadline)
    this.#sessions.delete(sessionId)
    room.leave(member, performance.now())
    member.peer?.close()
    if (member.peer) this.#tcp?.dismiss(member.peer.ufrag)
    if (room.members.size === 0) this.#rooms.delete(roomId)
    if (this.#sessions.size > 0) return
    clearInterval(this.#ticking)
    clearInterval(this.#pacing)
    this.#ticking = undefined
    this.#pacing = undefined
  }

  #pace(): void {
    const nowMs = performance.now()
    for (const room of this.#rooms.values()) room.pace(nowMs)
  }

  #tick(): void {
    const nowMs = performance.now()
    for (const room of this.#rooms.values()) room.tick(nowMs)
    const gone = [...this.#sessions.values()].filter(
      ({ receivedAt }) => receivedAt !== undefined && nowMs - receivedAt > this.#patience.silenceMs,
    )
    for (const session of gone) this.#lose(session)
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
