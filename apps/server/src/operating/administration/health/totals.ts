import { LATENCY_BUCKETS_SECONDS, type Metrics } from '#src/kernel/metrics.ts'
import { LATENCY_PARTS } from './latency.ts'

/** Figures of this process since its start. */
export interface Totals {
  /** Reading of `performance.now()`. */
  at: number
  requests: number
  errors: number
  messages: number
  /** Requests per latency bucket. */
  latency: readonly number[]
  /** Microseconds of processor time. */
  cpu: number
}

export type TotalMeters = Pick<Metrics, 'requests' | 'messageBatch'>

/** Reads the counters of this process that Prometheus also reads. */
export async function readTotals({ requests, messageBatch }: TotalMeters): Promise<Totals> {
  const [answered, written] = await Promise.all([requests.get(), messageBatch.get()])
  const upTo = new Array<number>(LATENCY_PARTS).fill(0)
  let [count, errors] = [0, 0]
  for (const { metricName, labels, value } of answered.values) {
    const isCount = metricName?.endsWith('_count') ?? false
    if (isCount) count += value
    if (isCount && String(labels.status).startsWith('5')) errors += value
    // Upper limit of the bucket. Every histogram has this label, but its type lacks it.
    const le: unknown = Reflect.get(labels, 'le')
    if (le !== undefined) addTo(upTo, String(le), value)
  }
  const sum = written.values.find(({ metricName }) => metricName?.endsWith('_sum'))
  const { user, system } = process.cpuUsage()
  return {
    at: performance.now(),
    requests: count,
    errors,
    messages: sum?.value ?? 0,
    latency: upTo.map((value, index) => value - (upTo[index - 1] ?? 0)),
    cpu: user + system,
  }
}

/** Adds the value of a histogram's bucket, which includes all shorter durations. */
function addTo(upTo: number[], le: string, value: number): void {
  const index = le === '+Inf' ? LATENCY_PARTS - 1 : LATENCY_BUCKETS_SECONDS.indexOf(Number(le))
  upTo[index] = (upTo[index] ?? 0) + value
}

/** Figures of a minute. */
export interface MinuteFigures {
  requests: number
  errors: number
  messages: number
  latency: readonly number[]
  /** Processor cores in use. */
  cpu: number
}

/** Returns the difference between two readings, per minute. */
export function perMinute(before: Totals, now: Totals): MinuteFigures {
  const elapsedMs = Math.max(1, now.at - before.at)
  const rate = (name: 'requests' | 'errors' | 'messages') => ((now[name] - before[name]) * 60_000) / elapsedMs
  return {
    requests: rate('requests'),
    errors: rate('errors'),
    messages: rate('messages'),
    latency: now.latency.map((count, index) => count - (before.latency[index] ?? 0)),
    cpu: (now.cpu - before.cpu) / 1000 / elapsedMs,
  }
}
