import { setImmediate } from 'node:timers/promises'

/**
 * Time after which work yields to the event loop. Below the 10 ms that are allowed, because neither steps nor garbage
 * collection can be interrupted.
 */
const SLICE_MS = 3

/** Runs long work in slices, between which the event loop runs. The yields of the work should be well below 1 ms apart. */
export async function runInSlices<Result>(work: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const end = performance.now() + SLICE_MS
    let step = work.next()
    while (step.done !== true && performance.now() < end) step = work.next()
    if (step.done === true) return step.value
    await setImmediate()
  }
}
