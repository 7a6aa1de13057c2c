import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { VoiceEndReason } from '@foyer/protocol/voice'
import type { Logger } from 'pino'
import type { VoiceEngine } from '../engine.ts'
import { type Decision, type EvaluationDeps, evaluate, type ShownPictures } from './decisions.ts'
import type { Endings } from './endings.ts'
import type { HostedSession, HostedSessions } from './sessions.ts'

export interface RecheckDeps extends EvaluationDeps {
  engine: VoiceEngine
  sessions: HostedSessions
  endings: Endings
  /** Turns the given video flags off in the session's state, and publishes it. */
  takePictures: (sessionId: string, taken: ShownPictures) => Promise<void>
  log: Logger
}

const RETRY_MS = 500

/**
 * Updates the media of sessions to the committed state. Rounds run one after another, so that the last read wins. While
 * the database is unavailable, a round waits for it.
 */
export class Rechecks {
  readonly #deps: RecheckDeps
  readonly #due = new Set<HostedSession>()
  readonly #closing = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #taking: Promise<unknown> = Promise.resolve()

  constructor(deps: RecheckDeps) {
    this.#deps = deps
  }

  /** Rechecks sessions. Resolves when their media follows everything committed before the call. Never rejects. */
  async recheck(concerned: Iterable<HostedSession>): Promise<void> {
    for (const hosted of concerned) this.#due.add(hosted)
    if (this.#due.size > 0 && this.#next === undefined) this.#begin()
    await this.#next
  }

  /** Ends the media immediately, and the state when the database is available. */
  end(hosted: HostedSession, reason: VoiceEndReason): void {
    const { sessions, endings } = this.#deps
    if (!sessions.remove(hosted)) return
    this.#silence(hosted, reason)
    endings.add([hosted.session.id], reason)
  }

  /** Turns off the flags of video that the user may not show, in the background: the media does not wait for it. */
  take(hosted: HostedSession, taken: ShownPictures): void {
    if (!taken.self_video && !taken.self_stream) return
    const { takePictures, log } = this.#deps
    const done = takePictures(hosted.session.id, taken).catch((error) => {
      log.warn({ err: error }, 'the flags of a picture that ended cannot be saved for now')
      return this.#takeLater(hosted)
    })
    this.#taking = Promise.all([this.#taking, done])
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
    await this.#taking
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
    const decisions = await this.#evaluate(due)
    const applied = due.map((hosted) => this.#apply(hosted, decisions?.get(hosted.session)))
    await Promise.all(applied).catch((error) =>
      log.error({ err: error }, 'voice sessions could not be rechecked'),
    )
  }

  async #evaluate(due: readonly HostedSession[]): Promise<Awaited<ReturnType<typeof evaluate>> | undefined> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        return await evaluate(
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

  async #apply(hosted: HostedSession, decision: Decision | undefined): Promise<void> {
    const { sessions, engine } = this.#deps
    if (decision === undefined || !sessions.has(hosted)) return
    if (decision.kind === 'ends') return this.end(hosted, decision.reason)
    if (decision.kind === 'gone') {
      sessions.remove(hosted)
      return this.#silence(hosted, 'left')
    }
    hosted.timeoutEnd = decision.timeoutEnd
    // Undefined rights mean that the engine is still admitting the session, possibly with stale rights.
    hosted.isOutdated = hosted.rights === undefined
    if (hosted.rights === undefined) return
    this.take(hosted, decision.taken)
    if (isDeepStrictEqual(hosted.rights, decision.rights)) return
    hosted.rights = decision.rights
    // Media that cannot be updated must end.
    await engine.setRights(hosted.session.id, decision.rights).catch(() => this.end(hosted, 'failed'))
  }

  /** Retries with a new decision: the user may be allowed to show the video by then. */
  async #takeLater(hosted: HostedSession): Promise<void> {
    const { signal } = this.#closing
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) void this.recheck([hosted])
  }

  #silence({ session }: HostedSession, reason: VoiceEndReason): void {
    const { engine, log } = this.#deps
    engine.kick(session.id, reason).catch((error) => log.error({ err: error }, 'media could not be ended'))
  }
}
