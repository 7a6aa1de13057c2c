import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../load/latencies.ts'
import type { Foyer } from '../server/foyer.ts'
import { cpuBetween, readCpuTimes, resetPeak, residentPeakBytes } from '../server/usage.ts'
import type { Attack } from './attack.ts'
import type { Tally } from './attacker.ts'
import type { AttackerProcess } from './attacker-process.ts'
import type { Fixture } from './fixture.ts'
import { type Observation, OrdinaryUsers, type Population } from './ordinary-users.ts'

export interface Seconds {
  warmup: number
  calm: number
  attack: number
  recovery: number
}

/** Numbers with their unit in the name. */
export type PhaseFigures = Record<string, number>

export interface Outcome {
  name: string
  calm: PhaseFigures
  attack: PhaseFigures
  recovery: PhaseFigures
  attacker: Tally
  problems: readonly string[]
}

export interface Trial {
  attack: Attack
  fixture: Fixture
  population: Population
  seconds: Seconds
  isSmoke: boolean
  attacker: AttackerProcess
}

const MIB = 2 ** 20
const NOTHING: Tally = { passed: 0, limited: 0, shed: 0, failed: 0 }

/** Measures ordinary users before, during and after the attack. */
export async function tryAttack(foyer: Foyer, trial: Trial): Promise<Outcome> {
  const { attack, fixture, isSmoke, seconds } = trial
  const users = await OrdinaryUsers.arrive(foyer.port, trial.population)
  // Requests the API document, or the server would prepare it during the measurement, a minute after its start.
  await (await fetch(`http://127.0.0.1:${foyer.port}/api/docs/json`)).arrayBuffer()
  await sleep(seconds.warmup * 1000)
  const calm = await watch(foyer, seconds.calm)
  trial.attacker.begin({ name: attack.name, port: foyer.port, fixture, isSmoke })
  const attacked = await watch(foyer, seconds.attack)
  const attacker = (await trial.attacker.end()) ?? NOTHING
  const recovery = await watch(foyer, seconds.recovery)
  const { cutOff } = users
  await users.leave()
  const read = (phase: Watched) => ({ ...phase.usage, ...observed(users, phase) })
  const outcome = { name: attack.name, calm: read(calm), attack: read(attacked), recovery: read(recovery) }
  const problems = problemsOf(trial, outcome.calm, attacker)
  return { ...outcome, attack: { ...outcome.attack, cut_off: cutOff }, attacker, problems }
}

interface Watched {
  from: number
  until: number
  usage: PhaseFigures
}

async function watch(foyer: Foyer, seconds: number): Promise<Watched> {
  resetPeak(foyer.pid)
  const [from, before] = [performance.now(), readCpuTimes(foyer)]
  await sleep(seconds * 1000)
  const [until, cpu] = [performance.now(), cpuBetween(before, readCpuTimes(foyer))]
  const percent = (cpuSeconds: number) => (cpuSeconds / (until - from)) * 1000 * 100
  const usage = {
    server_cpu_percent: percent(cpu.server),
    postgres_cpu_percent: percent(cpu.postgres),
    server_peak_mib: residentPeakBytes(foyer.pid) / MIB,
  }
  return { from, until, usage }
}

function observed(users: OrdinaryUsers, { from, until }: Watched): PhaseFigures {
  const due = users.since(from).filter(({ dueAt }) => dueAt < until)
  const sent = users.sentSince(from).filter(({ sentAt }) => sentAt < until)
  const received = sent.flatMap(({ sentAt, receivedByAllAt }) =>
    receivedByAllAt === undefined ? [] : [receivedByAllAt - sentAt],
  )
  const [messages, others] = [due.filter(isMessage), due.filter((each) => !isMessage(each))]
  const count = (observations: readonly Observation[], is: (status: number) => boolean) =>
    observations.filter(({ status }) => is(status)).length
  return {
    ...latencies('send', messages),
    ...latencies('other', others),
    delivered_p99_ms: percentile(received, 0.99),
    undelivered: sent.length - received.length,
    answers_503: count(due, (status) => status === 503),
    answers_429: count(due, (status) => status === 429),
    failures: count(due, (status) => status !== 503 && status !== 429 && !(status > 100 && status < 300)),
  }
}

function latencies(name: string, observations: readonly Observation[]): PhaseFigures {
  const times = observations.map(({ ms }) => ms)
  return {
    [`${name}_count`]: times.length,
    [`${name}_p50_ms`]: percentile(times, 0.5),
    [`${name}_p95_ms`]: percentile(times, 0.95),
    [`${name}_p99_ms`]: percentile(times, 0.99),
    [`${name}_max_ms`]: percentile(times, 1),
  }
}

function isMessage({ kind }: Observation): boolean {
  return kind === 'message'
}

/** Lists reasons why the figures are invalid. A smoke test, which may run on a busy machine, only checks that the attack works. */
function problemsOf({ attack, isSmoke }: Trial, calm: PhaseFigures, tally: Tally): string[] {
  const { answers_503: shed = 0, answers_429: limited = 0, failures = 0, undelivered = 0 } = calm
  const is = {
    'the attacker did nothing': Object.values(tally).every((count) => count === 0),
    'nobody sent anything in the calm': calm.send_count === 0,
    'ordinary people were refused in the calm': !isSmoke && failures + shed + limited > 0,
    'messages were not delivered in the calm': !isSmoke && undelivered > 0,
  }
  return Object.entries(is).flatMap(([what, isSo]) => (isSo ? [`${attack.name}: ${what}`] : []))
}
