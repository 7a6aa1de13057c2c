import { newId } from '#src/kernel/ids.ts'
import { RepeatedWork } from '#src/kernel/repeated-work.ts'
import { FollowTurn, type TurnDeps } from './follow-turn.ts'
import { listDueFollows, type RemoteFollowRow, takeFollow } from './queries.ts'

/** Interval between searches for due follows: postponed ones, and follows that a killed process left. */
const LOOK_MS = 2000
/** Simultaneous turns, in total and per server, so that slow servers do not hold up others. */
const AT_ONCE = 8
const AT_ONCE_OF_SERVER = 2

/**
 * Copies announcements of other servers to the rooms that follow them. The progress in each room's log is in the
 * database, so that a crash loses nothing. Each copy is written together with a mark, so that none is written twice.
 */
export class RemoteCopier {
  readonly #deps: TurnDeps
  readonly #closing = new AbortController()
  readonly #looking: RepeatedWork
  /** Running turns, with their servers. */
  readonly #turns = new Map<Promise<void>, string>()

  constructor(deps: TurnDeps, lookMs = LOOK_MS) {
    this.#deps = deps
    const look = () => this.#beginDue().catch((error: unknown) => this.#warn(error))
    this.#looking = new RepeatedWork(look, lookMs)
  }

  /** Begins turns for due follows. */
  look(): void {
    this.#looking.ask()
  }

  /** Begins no further turns, and waits for the running ones. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the server is shutting down'))
    await this.#looking.end()
    await Promise.all(this.#turns.keys())
  }

  async #beginDue(): Promise<void> {
    const limit = AT_ONCE - this.#turns.size
    if (limit <= 0) return
    const perServer = AT_ONCE_OF_SERVER
    const due = await listDueFollows(this.#deps.database, { limit, perServer, busy: this.#busyServers() })
    for (const { server, ...key } of due) {
      if (this.#closing.signal.aborted || this.#busyServers().includes(server)) continue
      const follow = await takeFollow(this.#deps.database, key, newId())
      if (follow !== undefined) this.#begin(follow)
    }
  }

  #begin(follow: RemoteFollowRow): void {
    const turn = new FollowTurn(this.#deps, follow, this.#closing.signal)
      .run()
      .catch((error: unknown) => this.#warn(error))
      .finally(() => {
        this.#turns.delete(turn)
        this.look()
      })
    this.#turns.set(turn, follow.server)
  }

  #busyServers(): string[] {
    const byServer = Map.groupBy(this.#turns.values(), (server) => server)
    return [...byServer].flatMap(([server, turns]) => (turns.length >= AT_ONCE_OF_SERVER ? [server] : []))
  }

  #warn(error: unknown): void {
    this.#deps.log.warn({ err: error }, 'announcements of other servers could not be copied')
  }
}
