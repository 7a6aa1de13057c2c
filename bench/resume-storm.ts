// Measures how long thousands of clients take to resume after all were cut off at once, by the network and by a restart.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from './load/accounts.ts'
import { createCrowd } from './load/crowd.ts'
import { inGroups } from './load/groups.ts'
import { percentile } from './load/latencies.ts'
import { newTally, StormClient, type StormTally } from './load/storm-client.ts'
import { readOptions } from './options.ts'
import { report } from './report.ts'
import { type Foyer, makeDataDir, startFoyer } from './server/foyer.ts'
import { type LoopLag, readLoopLag } from './server/loop-lag.ts'
import { type CpuTimes, cpuBetween, readCpuTimes, resetPeak, residentPeakBytes } from './server/usage.ts'

const OPENING_AT_ONCE = 50
/** Milliseconds until the last client resumed. A new process has empty caches and compiles code as it runs. */
const MAX_RESUMED_MS = { cut: 5000, restart: 10_000 }
const MAX_LAG_MS = 200
const MAX_WAIT_MS = 60_000
const MIB = 2 ** 20

const options = readOptions(
  { clients: 5000, spaces: 20, spacesEach: 5, rooms: 20, messages: 20, settle: 5, quiet: 21 },
  { clients: 40, spaces: 3, spacesEach: 2, rooms: 2, messages: 4, settle: 0.1, quiet: 0 },
)
const { clients: people, settle, quiet, messages } = options.numbers

/** Settings with all limits on, including those that protect the server from overload. */
const limited = { RATE_LIMITS: 'on' }

interface Storm {
  tally: StormTally
  lag: LoopLag
  cpu: CpuTimes
  peakBytes: number
}

const dataDir = await makeDataDir()
const { cut, restart } = await measure(dataDir.path).finally(dataDir.remove)
report({
  ...options,
  name: 'resume-storm',
  problems: [...problemsOf('cut', cut), ...problemsOf('restart', restart)],
  figures: { ...figuresOf('cut', cut), ...figuresOf('restart', restart) },
})

async function measure(path: string): Promise<{ cut: Storm; restart: Storm }> {
  const before = await startFoyer({ ...options, dataDir: path })
  const { hosts, identities } = await createCrowd(before, { ...options.numbers, people })
  // Waits, because the replay would also contain events of the preparation if they were recent.
  await sleep(quiet * 1000)
  await before.stop()
  const foyer = await startFoyer({ ...options, dataDir: path, settings: limited })
  const crowd = identities.map((identity) => new StormClient(foyer.port, identity))
  await inGroups(crowd, OPENING_AT_ONCE, (client) => client.join())
  for (let number = 0; number < messages; number += 1) {
    const host = hosts[number % hosts.length]
    if (host !== undefined) await say(foyer, host, `Message ${number}`)
  }
  await sleep(settle * 1000)
  const cut = await measureStorm(foyer, crowd, () => crowd.map((client) => client.cut()))
  await sleep(settle * 1000)
  await foyer.stop()
  const next = await startFoyer({ ...options, dataDir: path, settings: limited })
  const restart = await measureStorm(next, crowd, () => crowd.map((client) => client.hurry()))
  for (const client of crowd) client.close()
  await next.stop()
  return { cut, restart }
}

/** Sends without the SDK, which knows the address of the previous server. */
async function say(
  { port }: Foyer,
  { roomId, accessToken, sessionToken }: Account,
  content: string,
): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/rooms/${roomId}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${accessToken}`,
      'x-session-token': sessionToken,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ content }),
  })
  if (!response.ok) throw new Error(`a message was refused: ${await response.text()}`)
}

/** Measures from the cut until every client has resumed. */
async function measureStorm(
  foyer: Foyer,
  crowd: readonly StormClient[],
  interrupt: () => unknown,
): Promise<Storm> {
  const tally = newTally()
  await readLoopLag(foyer)
  resetPeak(foyer.pid)
  const before = readCpuTimes(foyer)
  const resumed = Promise.all(crowd.map((client) => client.expectCut(foyer.port, tally)))
  interrupt()
  await Promise.race([resumed, sleep(MAX_WAIT_MS, undefined, { ref: false })])
  const cpu = cpuBetween(before, readCpuTimes(foyer))
  // Copies the tally, because clients may still change it.
  return {
    tally: structuredClone(tally),
    lag: await readLoopLag(foyer),
    cpu,
    peakBytes: residentPeakBytes(foyer.pid),
  }
}

function problemsOf(name: keyof typeof MAX_RESUMED_MS, { tally, lag }: Storm): string[] {
  const { resumedAfter, failed } = tally
  const last = Math.max(...resumedAfter)
  const hasGoals = !options.isSmoke
  return [
    ...(resumedAfter.length === people ? [] : [`${name}: ${people - resumedAfter.length} did not resume`]),
    ...(failed === 0 ? [] : [`${name}: ${failed} sessions were lost`]),
    ...(hasGoals && last > MAX_RESUMED_MS[name] ? [`${name}: the last client resumed after ${last} ms`] : []),
    ...(hasGoals && lag.p99 > MAX_LAG_MS ? [`${name}: the event loop was ${lag.p99} ms late`] : []),
  ]
}

function figuresOf(name: string, { tally, lag, cpu, peakBytes }: Storm): Record<string, number> {
  const perResume = (seconds: number) => (seconds * 1000) / people
  const figures = {
    resumed_p50_ms: percentile(tally.resumedAfter, 0.5),
    resumed_last_ms: Math.max(...tally.resumedAfter),
    refused: tally.refused,
    retries: tally.retries,
    replayed: tally.replayed,
    lag_p50_ms: lag.p50,
    lag_p99_ms: lag.p99,
    lag_max_ms: lag.max,
    server_cpu_ms_per_resume: perResume(cpu.server),
    postgres_cpu_ms_per_resume: perResume(cpu.postgres),
    load_cpu_ms_per_resume: perResume(cpu.load),
    peak_mib: peakBytes / MIB,
  }
  return Object.fromEntries(Object.entries(figures).map(([key, value]) => [`${name}_${key}`, value]))
}
