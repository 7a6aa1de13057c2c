import type { Ready } from '@foyer/protocol/events'
import { CloseCode, Opcode } from '@foyer/protocol/gateway'
import type { UpdatePresence } from '@foyer/protocol/presence'
import type { ClientFrame, Dispatch, ServerFrame } from '@foyer/sdk/frames'
import type { GatewayLine, GatewaySocket, SocketEvents } from '@foyer/sdk/line'
import type { Journal } from './journal.ts'
import { Links } from './links.ts'
import type { TabMessage } from './wire.ts'
import { combine, Subscriptions } from './wishes.ts'

/** The leader's own commands, among those of its followers. */
const OWN = ''
/** What the leader before said of presence counts for so long: its other followers are about to say theirs. */
const HANDOVER_MS = 5_000
const BEFORE = 'before'
/** After these codes nobody comes back, or not as they are. */
const SHARED_CODES: readonly number[] = [CloseCode.UnknownVersion, CloseCode.SessionEnded]

export interface LeadParts {
  readonly tab: string
  readonly line: Pick<GatewayLine, 'open'>
  readonly journal: Journal
  readonly post: (message: TabMessage) => void
  readonly userId: () => string | undefined
  /** What a READY would tell now. */
  readonly snapshot: () => Ready | undefined
  /** Calls back when the tab is gone, however it went. @returns what ends it */
  readonly watch: (tab: string, gone: () => void) => () => void
  /** How the tabs were seen under the leader before. */
  readonly presence: UpdatePresence | undefined
  /** A follower does not want to wait. */
  readonly hurry: () => void
}

/** What the tab does that has the connection: it speaks for all tabs, and tells all what the server says. */
export class Lead {
  readonly #parts: LeadParts
  readonly #links: Links
  readonly #presences = new Map<string, UpdatePresence>()
  readonly #subscriptions = new Subscriptions((d) => this.#send({ op: Opcode.Subscribe, d }))
  #handover: ReturnType<typeof setTimeout> | undefined
  #presence: UpdatePresence | undefined
  #socket: GatewaySocket | undefined
  #events: SocketEvents | undefined
  #isReady = false

  constructor(parts: LeadParts) {
    this.#parts = parts
    this.#presence = parts.presence
    this.#keepPresence()
    this.#links = new Links({
      tab: parts.tab,
      post: parts.post,
      watch: parts.watch,
      take: (link, frame) => this.#take(link, frame),
      gone: (link) => this.#forget(link),
      hurry: (link) => {
        this.#subscriptions.prefer(link)
        parts.hurry()
      },
    })
    parts.post({ kind: 'leading', leader: parts.tab })
  }

  hear(message: TabMessage): void {
    this.#links.hear(message)
  }

  /** The connection of this tab's own gateway, and so of all. */
  open(url: string, events: SocketEvents): GatewaySocket {
    this.#subscriptions.forgetTold()
    this.#subscriptions.join(OWN)
    const socket = this.#parts.line.open(url, {
      receive: (frame) => this.#socket === socket && this.#receive(frame, events),
      lost: (code) => {
        if (this.#socket === socket) this.#lose(SHARED_CODES.includes(code) ? code : null)
        events.lost(code)
      },
    })
    this.#socket = socket
    this.#events = events
    return {
      send: (frame) => this.#take(OWN, frame),
      close: (code) => {
        if (this.#socket === socket) this.#lose(null)
        socket.close(code)
      },
    }
  }

  /** Somebody looks at this tab. */
  prefer(): void {
    this.#subscriptions.prefer(OWN)
  }

  /** Another tab has the lead, or nobody needs one. */
  end(): void {
    this.#lose(null)
  }

  #lose(code: number | null): void {
    this.#socket = undefined
    this.#isReady = false
    this.#keepPresence()
    this.#links.lose(code)
  }

  /** Until the followers have had the time to come back and say how they are seen. */
  #keepPresence(): void {
    clearTimeout(this.#handover)
    if (this.#presence !== undefined) this.#presences.set(BEFORE, this.#presence)
  }

  #send(frame: ClientFrame): void {
    this.#socket?.send(frame)
  }

  #receive(frame: ServerFrame | undefined, events: SocketEvents): void {
    if (frame?.op === Opcode.Dispatch) return this.#dispatch(frame, events)
    events.receive(frame)
    if (frame?.op === Opcode.VoiceSignal || frame?.op === Opcode.Error) this.#links.tell(frame)
  }

  #dispatch(event: Dispatch, events: SocketEvents): void {
    const { journal } = this.#parts
    if (event.t === 'READY' || event.t === 'RESUMED') return this.#becomeReady(event, events)
    if (event.s !== undefined && !journal.accept(event.s, event)) return
    events.receive(event)
    this.#links.tell(event)
  }

  #becomeReady(event: Dispatch<'READY' | 'RESUMED'>, events: SocketEvents): void {
    const { journal } = this.#parts
    if (event.t === 'READY') journal.restart(event.s, [])
    else if (event.s !== undefined) journal.advance(event.s)
    this.#isReady = true
    this.#handover = setTimeout(() => this.#forget(BEFORE), HANDOVER_MS)
    events.receive(event)
    for (const [link, frame] of this.#links.waiting()) this.#introduce(link, frame)
  }

  /** A command of one of the tabs. */
  #take(link: string, frame: ClientFrame): void {
    if (frame.op === Opcode.Identify || frame.op === Opcode.Resume) return this.#introduce(link, frame)
    if (link !== OWN && frame.op === Opcode.Heartbeat)
      return this.#links.answer(link, [{ op: Opcode.HeartbeatAck }])
    if (link !== OWN && !this.#isReady) return
    if (frame.op === Opcode.PresenceUpdate) this.#setPresence(link, frame.d)
    else if (frame.op === Opcode.Subscribe) this.#subscriptions.ask(link, frame.d)
    else this.#send(frame)
  }

  #introduce(link: string, frame: ClientFrame<typeof Opcode.Identify | typeof Opcode.Resume>): void {
    const presence = frame.d.presence ?? { status: 'online' }
    if (link !== OWN) return this.#welcome(link, frame, presence)
    this.#presences.set(OWN, presence)
    this.#presence = combine(this.#presences.values()) ?? presence
    const given = { presence: this.#presence }
    this.#send(
      frame.op === Opcode.Resume
        ? { op: frame.op, d: { ...frame.d, ...given } }
        : { op: frame.op, d: { ...frame.d, ...given } },
    )
    this.#parts.post({ kind: 'presence', leader: this.#parts.tab, presence: this.#presence })
  }

  /** READY or RESUMED as the server would answer, which is not asked. */
  #welcome(
    link: string,
    frame: ClientFrame<typeof Opcode.Identify | typeof Opcode.Resume>,
    presence: UpdatePresence,
  ): void {
    if (!this.#isReady) return this.#links.wait(link, frame)
    const { journal, snapshot } = this.#parts
    this.#subscriptions.join(link)
    this.#setPresence(link, presence)
    const ready = snapshot()
    if (ready === undefined) return this.#links.wait(link, frame)
    const place = journal.place === undefined ? {} : { s: journal.place }
    if (frame.op === Opcode.Identify)
      return this.#links.answer(link, [{ op: Opcode.Dispatch, t: 'READY', d: ready, ...place }], journal.seen)
    const missed = journal.after(frame.d.s)
    if (missed === undefined) return this.#links.answer(link, [{ op: Opcode.InvalidSession }])
    const d = { replayed: missed.length, presences: ready.presences }
    this.#links.answer(link, [...missed, { op: Opcode.Dispatch, t: 'RESUMED', d, ...place }])
  }

  #setPresence(link: string, presence: UpdatePresence): void {
    this.#presences.set(link, presence)
    this.#tellPresence()
  }

  #forget(link: string): void {
    this.#subscriptions.leave(link)
    if (this.#presences.delete(link)) this.#tellPresence()
  }

  /** Of what one connection says of itself the server tells the others: here no other tab would hear it. */
  #tellPresence(): void {
    const presence = combine(this.#presences.values())
    if (presence === undefined || !this.#isReady) return
    const isSame = presence.status === this.#presence?.status && presence.custom === this.#presence.custom
    this.#presence = presence
    if (!isSame) this.#send({ op: Opcode.PresenceUpdate, d: presence })
    this.#parts.post({ kind: 'presence', leader: this.#parts.tab, presence })
    const userId = this.#parts.userId()
    if (userId === undefined) return
    const d = { user_id: userId, status: presence.status, custom: presence.custom ?? null }
    this.#events?.receive({ op: Opcode.Dispatch, t: 'PRESENCE_UPDATE', d })
    this.#links.tell({ op: Opcode.Dispatch, t: 'PRESENCE_UPDATE', d })
  }
}
