import type { Puzzle, PuzzleSolution } from '@foyer/protocol/puzzle'
import type { SolvingOptions } from '@foyer/sdk/puzzle'
import type { PuzzleParts } from './solver.ts'

const MIN_WORKERS = 2
const MAX_WORKERS = 6

/** Solves a puzzle in 2 to 6 workers. With more than two cores, at least one core is free for the page. Rejects when aborted. */
export async function solveInWorkers(
  puzzle: Puzzle,
  { signal }: Pick<SolvingOptions, 'signal'> = {},
): Promise<PuzzleSolution> {
  const count = Math.min(
    MAX_WORKERS,
    Math.max(MIN_WORKERS, (navigator.hardwareConcurrency ?? MIN_WORKERS) - 1),
  )
  const shares = sharesOf(puzzle.parts, count)
  const workers: Worker[] = []
  try {
    for (const _ of shares)
      workers.push(new Worker(new URL('./solver.ts', import.meta.url), { type: 'module' }))
    const solved = await Promise.all(
      workers.map((worker, index) => solveIn(worker, { puzzle, parts: shares[index] ?? [] }, signal)),
    )
    return { token: puzzle.token, nonces: inOrder(shares, solved) }
  } finally {
    for (const worker of workers) worker.terminate()
  }
}

/** Distributes the numbers of the parts among the workers. */
export function sharesOf(parts: number, workers: number): number[][] {
  const all = Array.from({ length: parts }, (_, part) => part)
  return Array.from({ length: workers }, (_, worker) => all.filter((part) => part % workers === worker))
}

/** Returns the nonces in the order of their parts. */
export function inOrder(shares: readonly (readonly number[])[], solved: readonly (readonly number[])[]) {
  const nonces: number[] = []
  for (const [worker, parts] of shares.entries())
    for (const [index, part] of parts.entries()) nonces[part] = solved[worker]?.[index] ?? 0
  return nonces
}

function solveIn(worker: Worker, work: PuzzleParts, signal: AbortSignal | undefined): Promise<number[]> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    worker.onmessage = ({ data }: MessageEvent<number[]>) => resolve(data)
    worker.onerror = () => reject(new Error('the puzzle could not be solved in this browser'))
    worker.postMessage(work)
  })
}
