import { LATENCY_BUCKETS_SECONDS } from '#src/kernel/metrics.ts'

/** Number of latency buckets. The last one counts all longer durations. */
export const LATENCY_PARTS = LATENCY_BUCKETS_SECONDS.length + 1

/**
 * Returns the time, in milliseconds, within which a share of the requests was answered. It is interpolated within its
 * bucket; durations above the largest bucket count as that bucket. Null without requests.
 * @param counts requests per latency bucket
 * @param share from 0 to 1
 */
export function quantileMs(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const wanted = total * share
  let passed = 0
  for (const [index, count] of counts.entries()) {
    if (passed + count < wanted || count === 0) passed += count
    else return within(index, (wanted - passed) / count)
  }
  return within(counts.length, 1)
}

function within(index: number, part: number): number {
  const from = LATENCY_BUCKETS_SECONDS[index - 1] ?? 0
  const to = LATENCY_BUCKETS_SECONDS[index] ?? from
  return Math.round((from + (to - from) * part) * 100_000) / 100
}
