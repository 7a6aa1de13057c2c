import type { Ready } from '@foyer/protocol/events'
import { CloseCode, Opcode } from '@foyer/protocol/gateway'
import type { UpdatePresence } from '@foyer/protocol/presence'
import type { ServerFrame } from '@foyer/sdk/frames'
import type { GatewayLine, GatewaySocket, SocketEvents } from '@foyer/sdk/line'
import { Election } from './election.ts'
import { COME_BACK, Follower } from './follower.ts'
import { Journal } from './journal.ts'
import { Lead } from './lead.ts'
import { SeenLists } from './seen-lists.ts'
import type { OpenChannel, TabChannel, TabLocks, TabMessage } from './wire.ts'

/** How long a leader may take to answer: it may be busy drawing. */
const PATIENCE_MS = 4_000

export interface TabLineParts {
  /** The same for all tabs that may share a connection. */
  readonly name: string
  /** Of this tab, and of none before it. */
  readonly tab: string
  readonly openChannel: OpenChannel
  readonly locks: TabLocks
  /** What the leader's connection goes over. */
  readonly line: Pick<GatewayLine, 'open'>
  readonly userId: () => string | undefined
  /** What a READY would tell now. */
  readonly snapshot: () => Ready | undefined
  /** Ends the wait of this tab's gateway for its next attempt. */
  readonly hurry: () => void
  readonly patienceMs?: number
}

/** What this tab's gateway has for a socket. */
interface Seat {
  readonly url: string
  readonly events: SocketEvents
  socket?: GatewaySocket | undefined
  /** The same, where another tab leads. */
  follower?: Follower | undefined
}

/** A line for the gateways of a browser's tabs: one of them has the connection, and the others are told by it. */
export class TabLine implements GatewayLine {
  readonly #parts: TabLineParts
  readonly #election: Election
  readonly #journal = new Journal()
  readonly #lists = new SeenLists()
  #channel: TabChannel | undefined
  #lead: Lead | undefined
  #seat: Seat | undefined
  #presence: UpdatePresence | undefined
  #links = 0
  readonly #leave: () => void

  constructor(parts: TabLineParts) {
    const { name, tab, locks } = parts
    this.#parts = parts
    this.#election = new Election({ locks, name, won: () => this.#begin(), lost: () => this.#stepBack() })
    this.#leave = hold(locks, tabLock(name, tab))
    this.resume()
  }

  get isLeading(): boolean {
    return this.#lead !== undefined
  }

  open(url: string, events: SocketEvents): GatewaySocket {
    const receive = (frame: ServerFrame | undefined) => {
      const own = frame && this.#lists.narrow(frame)
      if (frame === undefined || own !== undefined) events.receive(own)
    }
    const seat: Seat = { url, events: { receive, lost: events.lost } }
    this.#seat = seat
    this.#sit(seat)
    return {
      send: (frame) => {
        if (frame.op === Opcode.Subscribe) this.#lists.ask(frame.d)
        seat.socket?.send(frame)
      },
      close: (code) => {
        if (this.#seat === seat) this.#seat = undefined
        seat.socket?.close(code)
      },
    }
  }

  /** Somebody looks at this tab. */
  hurry(): void {
    this.#lead?.prefer()
    this.#seat?.follower?.hurry()
  }

  /** The browser is about to freeze the tab: until it is awake again it neither leads nor listens. */
  suspend(): void {
    this.#seat?.events.lost(CloseCode.HeartbeatMissed)
    this.#endLead()
    this.#election.withdraw()
    this.#channel?.close()
    this.#channel = undefined
  }

  resume(): void {
    if (this.#channel !== undefined) return
    this.#channel = this.#parts.openChannel((message) => this.#hear(message))
    this.#election.stand()
    this.#seat?.follower?.ask()
    this.#parts.hurry()
  }

  /** After the gateway was closed. */
  close(): void {
    this.suspend()
    this.#leave()
  }

  #hear(message: TabMessage): void {
    if (message.kind === 'presence') this.#presence = message.presence
    else if (this.#lead !== undefined) this.#lead.hear(message)
    else this.#seat?.follower?.hear(message)
  }

  #begin(): void {
    if (this.#lead !== undefined || this.#channel === undefined) return
    const { tab, line, snapshot, userId, hurry } = this.#parts
    this.#lead = new Lead({
      tab,
      line,
      snapshot,
      userId,
      hurry,
      journal: this.#journal,
      post: (message) => this.#post(message),
      watch: (other, gone) => this.#watch(other, gone),
      presence: this.#presence,
    })
    const seat = this.#seat
    if (seat?.follower?.isTaken === true) {
      seat.events.receive(COME_BACK)
      // No timer: those of tabs that nobody looks at are late.
      hurry()
    } else if (seat !== undefined) this.#sit(seat)
  }

  /** Another tab has taken the lead. */
  #stepBack(): void {
    this.#endLead()
    this.#seat?.events.receive(COME_BACK)
  }

  #endLead(): void {
    this.#lead?.end()
    this.#lead = undefined
  }

  #sit(seat: Seat): void {
    seat.follower?.close()
    seat.follower = this.#lead === undefined ? this.#follow(seat.events) : undefined
    seat.socket = seat.follower ?? this.#lead?.open(seat.url, seat.events)
  }

  #follow(events: SocketEvents): Follower {
    const { tab, patienceMs = PATIENCE_MS } = this.#parts
    this.#links += 1
    return new Follower({
      tab,
      link: `${tab} ${this.#links}`,
      events,
      journal: this.#journal,
      post: (message) => this.#post(message),
      patienceMs,
      onSilence: () => this.#channel !== undefined && this.#election.usurp(),
    })
  }

  #post(message: TabMessage): void {
    if (message.kind === 'presence') this.#presence = message.presence
    this.#channel?.post(message)
  }

  #watch(tab: string, gone: () => void): () => void {
    const ending = new AbortController()
    const { locks, name } = this.#parts
    const request = { mode: 'shared', signal: ending.signal } as const
    locks.request(tabLock(name, tab), request, gone).catch(() => undefined)
    return () => ending.abort()
  }
}

/** Held as long as the tab is there. */
function tabLock(name: string, tab: string): string {
  return `${name} ${tab}`
}

/** @returns what frees the lock */
function hold(locks: TabLocks, name: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  locks.request(name, {}, () => promise).catch(() => undefined)
  return resolve
}
