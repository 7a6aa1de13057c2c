import { Opcode } from '@foyer/protocol/gateway'
import type { ClientFrame, ServerFrame } from '@foyer/sdk/frames'
import type { TabMessage } from './wire.ts'

/** Whether the leader still answers is found out this often. */
const HEARTBEAT_MS = 10_000

type Introduction = ClientFrame<typeof Opcode.Identify | typeof Opcode.Resume>

interface Link {
  /** What waits until the leader itself is ready. */
  introduction: Introduction | undefined
  readonly unwatch: () => void
}

interface LinksParts {
  readonly tab: string
  readonly post: (message: TabMessage) => void
  readonly watch: (tab: string, gone: () => void) => () => void
  readonly take: (link: string, frame: ClientFrame) => void
  readonly gone: (link: string) => void
  readonly hurry: (link: string) => void
}

/** The followers of a leader. */
export class Links {
  readonly #parts: LinksParts
  readonly #links = new Map<string, Link>()

  constructor(parts: LinksParts) {
    this.#parts = parts
  }

  hear(message: TabMessage): void {
    if (message.kind === 'open') return this.#open(message.link, message.tab)
    if (!('link' in message) || message.link === null || 'leader' in message) return
    const { link } = message
    // One that another leader had before.
    if (!this.#links.has(link)) return this.#refuse(message)
    if (message.kind === 'command') this.#parts.take(link, message.frame)
    else if (message.kind === 'hurry') this.#parts.hurry(link)
    else this.#close(link)
  }

  /** Holds an introduction until it can be answered. */
  wait(link: string, introduction: Introduction): void {
    const known = this.#links.get(link)
    if (known !== undefined) known.introduction = introduction
  }

  /** What waits, once. */
  waiting(): (readonly [link: string, introduction: Introduction])[] {
    const all = [...this.#links].flatMap(([link, { introduction }]) =>
      introduction === undefined ? [] : [[link, introduction] as const],
    )
    for (const known of this.#links.values()) known.introduction = undefined
    return all
  }

  answer(link: string, frames: readonly ServerFrame[], seen: readonly string[] = []): void {
    this.#parts.post({ kind: 'answer', leader: this.#parts.tab, link, frames, seen })
  }

  /** To all who are ready: the others have it in what they are answered. */
  tell(frame: ServerFrame): void {
    if (this.#links.size > 0) this.#parts.post({ kind: 'told', leader: this.#parts.tab, frame })
  }

  /** @param code null to come back at once, and wait here */
  lose(code: number | null): void {
    if (this.#links.size > 0) this.#parts.post({ kind: 'lost', leader: this.#parts.tab, link: null, code })
    for (const link of [...this.#links.keys()]) this.#close(link)
  }

  #open(link: string, tab: string): void {
    if (this.#links.has(link)) return
    const unwatch = this.#parts.watch(tab, () => this.#close(link))
    this.#links.set(link, { introduction: undefined, unwatch })
    const d = { heartbeat_interval: HEARTBEAT_MS, resume_window_ms: 0 }
    this.answer(link, [{ op: Opcode.Hello, d }])
  }

  #refuse({ kind, link }: { kind: TabMessage['kind']; link: string }): void {
    if (kind === 'command') this.#parts.post({ kind: 'lost', leader: this.#parts.tab, link, code: null })
  }

  #close(link: string): void {
    this.#links.get(link)?.unwatch()
    if (this.#links.delete(link)) this.#parts.gone(link)
  }
}
