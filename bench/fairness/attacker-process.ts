import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Tally } from './attacker.ts'
import type { Order } from './attacker-main.ts'

/** Maximum time for the attack to end. Includes the time for which a smoke test waits for the attack's first request. */
const MAX_STOP_MS = 30_000

/** Starts the attacker's process, sends it its orders, and stops it. */
export class AttackerProcess {
  readonly #child: ChildProcess
  #tally: Promise<Tally> | undefined

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async start(): Promise<AttackerProcess> {
    const child = fork(join(import.meta.dirname, 'attacker-main.ts'))
    await once(child, 'message')
    return new AttackerProcess(child)
  }

  begin(order: Order): void {
    this.#tally = this.#nextTally()
    // `end` throws the error. This only avoids an unhandled rejection.
    this.#tally.catch(() => undefined)
    this.#child.send(order)
  }

  /**
   * Ends the attack.
   * @throws Error when the attack failed, or does not end
   */
  async end(): Promise<Tally | undefined> {
    if (this.#child.connected) this.#child.send('over')
    const timer = setTimeout(() => this.close(), MAX_STOP_MS)
    return await this.#tally?.finally(() => clearTimeout(timer))
  }

  close(): void {
    this.#child.kill('SIGKILL')
  }

  async #nextTally(): Promise<Tally> {
    const { promise, resolve, reject } = Promise.withResolvers<Tally>()
    const onExit = () => reject(new Error('the attacker process exited'))
    this.#child.once('message', resolve).once('exit', onExit)
    return await promise.finally(() => this.#child.off('message', resolve).off('exit', onExit))
  }
}
