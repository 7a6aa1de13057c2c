import { finished } from 'node:stream/promises'
import type { Logger } from 'pino'
import { listUnlogged, logChanges } from '#src/integrations/follows/log.ts'
import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { askingFor } from '#src/kernel/outgoing/user-agent.ts'
import { RepeatedWork } from '#src/kernel/repeated-work.ts'
import { FeedContents, pushHeaders } from './contents.ts'
import type { FeedDeps } from './documents.ts'
import { type DueRow, forget, giveBack, markFailed, markSent, takeDue } from './subscriptions.ts'

type Deps = Omit<FeedDeps, 'origin'> & {
  outgoing: Outgoing
  log: Pick<Logger, 'warn'>
}

/** Interval between searches for due pushes: postponed ones, and pushes that a killed process left. */
const LOOK_MS = 2000
const ROOMS = 20
/** Simultaneous pushes of a process, in total and per host. */
const AT_ONCE = 8
const OF_HOST = 2
/** Timeout of a push: shorter than its lease, after which another process sends the push as well. */
const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 4096
const GONE = 410

/**
 * Gives changes of announcement rooms their numbers, and pushes feeds to their subscribers. Due pushes are in the
 * database. A push that was interrupted by the end of its process is sent again. That is harmless, because each
 * push contains the feed as it is then.
 */
export class FeedPusher {
  readonly #deps: Deps
  readonly #contents: FeedContents
  readonly #closing = new AbortController()
  readonly #looking: RepeatedWork
  /** The hosts of running pushes. */
  readonly #pushing = new Map<Promise<void>, string>()

  constructor(deps: Deps, lookMs = LOOK_MS) {
    this.#deps = deps
    this.#contents = new FeedContents(deps)
    this.#looking = new RepeatedWork(() => this.#look(), lookMs)
  }

  /** Adds all recorded changes to the rooms' logs, and sends all due pushes. */
  look(): void {
    this.#looking.ask()
  }

  /** Aborts running pushes. Other processes send them again. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#looking.end()
    await Promise.all(this.#pushing.keys())
  }

  async #look(): Promise<void> {
    await this.#logAll().catch((error: unknown) =>
      this.#deps.log.warn({ err: error }, 'announcements could not be logged for other servers'),
    )
    await this.#pushAll().catch((error: unknown) =>
      this.#deps.log.warn({ err: error }, 'pushes of feeds could not be taken'),
    )
  }

  async #logAll(): Promise<void> {
    const { database } = this.#deps
    for (const source of await listUnlogged(database, ROOMS)) await logChanges(database, source)
  }

  /** Begins pushes up to the maximum. When one ends, it looks for the next. */
  async #pushAll(): Promise<void> {
    while (this.#pushing.size < AT_ONCE && !this.#closing.signal.aborted) {
      const due = await takeDue(this.#deps.database, this.#busyHosts())
      if (due === undefined) return
      const push = this.#push(due)
        .catch((error: unknown) =>
          this.#deps.log.warn({ err: error }, 'a push of a feed could not be marked'),
        )
        .finally(() => {
          this.#pushing.delete(push)
          this.look()
        })
      this.#pushing.set(push, due.callback_host)
    }
  }

  #busyHosts(): string[] {
    const counted = Map.groupBy(this.#pushing.values(), (host) => host)
    return [...counted].filter(([, pushes]) => pushes.length >= OF_HOST).map(([host]) => host)
  }

  async #push(due: DueRow): Promise<void> {
    const { database } = this.#deps
    const status = await this.#send(due).catch(() => undefined)
    if (this.#closing.signal.aborted && status === undefined) return giveBack(database, due)
    if (status === GONE) return forget(database, due)
    const isSent = status !== undefined && status >= 200 && status < 300
    return isSent ? markSent(database, due) : markFailed(database, due)
  }

  /** @returns the HTTP status; undefined if the room cannot be read now */
  async #send(due: DueRow): Promise<number | undefined> {
    const content = await this.#contents.of(due)
    if (content === undefined) return undefined
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(TIMEOUT_MS)])
    const { status, body } = await this.#deps.outgoing.send({
      ...{ method: 'POST', url: new URL(due.callback), body: content.body, signal },
      headers: { ...askingFor('*/*'), ...pushHeaders(content, due.secret) },
      ...{ timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES },
    })
    // Read to its end, so that the connection can be reused.
    await finished(body.resume()).catch(() => undefined)
    return status
  }
}
