import { callDebugger, openDebugger } from './debugger.ts'
import type { Foyer } from './foyer.ts'

interface Evaluated {
  result: { value: number }
}

/** Measures the longest time for which one task blocks the server's event loop. */
export class EventLoopWatch {
  readonly #url: string

  private constructor(url: string) {
    this.#url = url
  }

  static async open(foyer: Foyer): Promise<EventLoopWatch> {
    const watch = new EventLoopWatch(await openDebugger(foyer))
    await watch.#evaluate(`
      globalThis.benchLoop = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: 1 })
      benchLoop.enable(), 0`)
    return watch
  }

  /** The longest task since the last call, in milliseconds. */
  async longestMs(): Promise<number> {
    return this.#evaluate(
      '(() => { const longest = benchLoop.max / 1e6; benchLoop.reset(); return longest })()',
    )
  }

  async #evaluate(expression: string): Promise<number> {
    const { result } = await callDebugger<Evaluated>(this.#url, 'Runtime.evaluate', { expression })
    return result.value
  }
}
