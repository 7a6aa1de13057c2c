import type { EventName } from '@foyer/protocol/events'

const KEPT = 60
const MAX_DATA = 160

/** The last events of one client, without messages, as evidence of what led to a violation. */
export class Trace {
  readonly #kept: { at: number; what: string; s: string | undefined }[] = []

  note(name: EventName, data: unknown, s: string | undefined): void {
    if (name.startsWith('MESSAGE_')) return
    this.say(`${name} ${name === 'READY' ? '' : JSON.stringify(data).slice(0, MAX_DATA)}`, s)
  }

  say(what: string, s?: string): void {
    this.#kept.push({ at: performance.now(), what, s })
    if (this.#kept.length > KEPT) this.#kept.shift()
  }

  lines(): string[] {
    return this.#kept.map(({ at, what, s }) => `${Math.round(at)} ${s ?? ''} ${what}`)
  }
}
