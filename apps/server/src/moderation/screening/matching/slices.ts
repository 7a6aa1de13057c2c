import { setImmediate } from 'node:timers/promises'

/** Time after which other work gets the event loop. Below the 10 ms that are allowed, since neither steps nor garbage collection are cut short. */
const SLICE_MS = 3

/** Runs long work to its end. Other work gets its turn between two of its yields, which should be well below 1 ms apart. */
export async function runInSlices<Result>(work: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const end = performance.now() + SLICE_MS
    let step = work.next()
    while (step.done !== true && performance.now() < end) step = work.next()
    if (step.done === true) return step.value
    await setImmediate()
  }
}
