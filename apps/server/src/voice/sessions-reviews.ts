import { setTimeout as sleep } from 'node:timers/promises'
import type { VoiceEndReason } from '@foyer/protocol/voice'
import type { Logger } from 'pino'
import type { VoiceEngine } from './engine.ts'
import type { HostedSession, HostedSessions } from './sessions.ts'
import type { Endings } from './sessions-endings.ts'
import { type JudgingDeps, judge, type Verdict } from './sessions-verdicts.ts'

export interface ReviewDeps extends JudgingDeps {
  engine: VoiceEngine
  sessions: HostedSessions
  endings: Endings
  log: Logger
}

const RETRY_MS = 500

/**
 * Has the media of sessions obey what is committed. One round after the other: what was read last is what counts at the end,
 * and while the database is away a round waits for it.
 */
export class Reviews {
  readonly #deps: ReviewDeps
  readonly #due = new Set<HostedSession>()
  readonly #closing = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(deps: ReviewDeps) {
    this.#deps = deps
  }

  /** Resolves when their media obeys what was committed before the call. Never rejects. */
  async review(concerned: Iterable<HostedSession>): Promise<void> {
    for (const hosted of concerned) this.#due.add(hosted)
    if (this.#due.size > 0 && this.#next === undefined) this.#begin()
    await this.#next
  }

  /** Ends the media at once, and the state when the database is there. */
  end(hosted: HostedSession, reason: VoiceEndReason): void {
    const { sessions, endings } = this.#deps
    if (!sessions.remove(hosted)) return
    this.#silence(hosted, reason)
    endings.add([hosted.session.id], reason)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  #begin(): void {
    const round = this.#running.then(() => {
      this.#next = undefined
      return this.#round()
    })
    this.#next = round
    this.#running = round
  }

  async #round(): Promise<void> {
    const { sessions, log } = this.#deps
    const due = [...this.#due].filter((hosted) => sessions.has(hosted))
    this.#due.clear()
    const verdicts = await this.#judge(due)
    const applied = due.map((hosted) => this.#apply(hosted, verdicts?.get(hosted.session)))
    await Promise.all(applied).catch((error) =>
      log.error({ err: error }, 'voice sessions could not be rechecked'),
    )
  }

  async #judge(due: readonly HostedSession[]): Promise<Awaited<ReturnType<typeof judge>> | undefined> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        return await judge(
          this.#deps,
          due.map(({ session }) => session),
        )
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'permissions of voice sessions cannot be evaluated for now')
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
      }
    }
    return undefined
  }

  async #apply(hosted: HostedSession, verdict: Verdict | undefined): Promise<void> {
    const { sessions, engine } = this.#deps
    if (verdict === undefined || !sessions.has(hosted)) return
    if (verdict.kind === 'ends') return this.end(hosted, verdict.reason)
    if (verdict.kind === 'gone') {
      sessions.remove(hosted)
      return this.#silence(hosted, 'left')
    }
    // The engine is just taking it in, with rights that may be past.
    hosted.isOutdated = hosted.rights === undefined
    if (hosted.rights === undefined) return
    const { canSpeak, canHear } = verdict.rights
    if (hosted.rights.canSpeak === canSpeak && hosted.rights.canHear === canHear) return
    hosted.rights = verdict.rights
    // Media that does not obey must not go on.
    await engine.setRights(hosted.session.id, verdict.rights).catch(() => this.end(hosted, 'failed'))
  }

  #silence({ session }: HostedSession, reason: VoiceEndReason): void {
    const { engine, log } = this.#deps
    engine.kick(session.id, reason).catch((error) => log.error({ err: error }, 'media could not be ended'))
  }
}
