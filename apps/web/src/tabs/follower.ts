import { Opcode } from '@foyer/protocol/gateway'
import type { ClientFrame, Dispatch, ServerFrame } from '@foyer/sdk/frames'
import type { GatewaySocket, SocketEvents } from '@foyer/sdk/line'
import type { Journal } from './journal.ts'
import type { TabMessage } from './wire.ts'

/** As if the server had asked to come back at once. */
export const COME_BACK: ServerFrame = { op: Opcode.Reconnect, d: { after_ms: 0 } }

interface FollowerParts {
  readonly tab: string
  readonly link: string
  readonly events: SocketEvents
  readonly journal: Journal
  readonly post: (message: TabMessage) => void
  readonly patienceMs: number
  /** No tab that leads has answered. */
  readonly onSilence: () => void
}

/** Stands for a connection to the server in a tab that another one leads. */
export class Follower implements GatewaySocket {
  readonly #parts: FollowerParts
  #leader: string | undefined
  #isReady = false
  #isOver = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: FollowerParts) {
    this.#parts = parts
    this.ask()
  }

  /** Whether a leader has taken it up. */
  get isTaken(): boolean {
    return this.#leader !== undefined
  }

  /** Asks whoever leads, again where nobody has answered. */
  ask(): void {
    const { link, tab, post, patienceMs, onSilence } = this.#parts
    clearTimeout(this.#timer)
    post({ kind: 'open', link, tab })
    this.#timer = setTimeout(onSilence, patienceMs)
  }

  send(frame: ClientFrame): void {
    if (!this.#isOver) this.#parts.post({ kind: 'command', link: this.#parts.link, frame })
  }

  hurry(): void {
    this.#parts.post({ kind: 'hurry', link: this.#parts.link })
  }

  close(): void {
    if (!this.#isOver) this.#parts.post({ kind: 'close', link: this.#parts.link })
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  hear(message: TabMessage): void {
    if (this.#isOver) return
    if (message.kind === 'leading') return this.#follow()
    if (message.kind === 'answer' && message.link === this.#parts.link) return this.#take(message)
    if (message.kind === 'lost' && message.link === this.#parts.link) return this.#lose(message.code)
    if (!('leader' in message) || message.leader !== this.#leader) return
    if (message.kind === 'told' && this.#isReady) this.#receive(message.frame)
    if (message.kind === 'lost' && message.link === null) this.#lose(message.code)
  }

  /** Another tab leads: what the one before has not answered is lost. */
  #follow(): void {
    if (this.#leader === undefined) this.ask()
    else this.#parts.events.receive(COME_BACK)
  }

  #take({ leader, frames, seen }: Extract<TabMessage, { kind: 'answer' }>): void {
    clearTimeout(this.#timer)
    this.#leader ??= leader
    if (this.#leader !== leader) return
    for (const frame of frames) this.#receive(frame, seen)
  }

  #receive(frame: ServerFrame, seen: readonly string[] = []): void {
    if (frame.op === Opcode.Dispatch && !this.#isNews(frame, seen)) return
    this.#parts.events.receive(frame)
  }

  #isNews(event: Dispatch, seen: readonly string[]): boolean {
    const { journal } = this.#parts
    const isReady = event.t === 'READY' || event.t === 'RESUMED'
    if (event.t === 'READY') journal.restart(event.s, seen)
    if (isReady) this.#isReady = true
    return isReady || event.s === undefined || journal.accept(event.s, event)
  }

  #lose(code: number | null): void {
    if (code === null) return this.#parts.events.receive(COME_BACK)
    this.#parts.events.lost(code)
  }
}
