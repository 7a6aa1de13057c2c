import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeMachine } from '../machine.ts'
import { growthMib, missedGoals, refusals, slowdown } from './goals.ts'
import type { Outcome, PhaseFigures } from './phases.ts'

const RESULTS = join(import.meta.dirname, '../results')

/** The columns: a heading, and the cell of an outcome. */
const COLUMNS: readonly [heading: string, write: (outcome: Outcome) => string][] = [
  ['attack', ({ name }) => name],
  [
    'got through, limited, 503, failed',
    ({ attacker: { passed, limited, shed, failed } }) => `${passed}, ${limited}, ${shed}, ${failed}`,
  ],
  ['sending p50, p99, max (ms): calm', ({ calm }) => sending(calm)],
  ['attack', ({ attack }) => sending(attack)],
  ['afterwards', ({ recovery }) => sending(recovery)],
  ['p99 to calm', (outcome) => `× ${slowdown(outcome).toFixed(1)}`],
  ['all else p99 (ms): calm, attack', ({ calm, attack }) => pair(calm, attack, 'other_p99_ms')],
  ['delivered p99 (ms): calm, attack', ({ calm, attack }) => pair(calm, attack, 'delivered_p99_ms')],
  ['refused or failed', (outcome) => `${refusals(outcome)}`],
  [
    'CPU of a core, server and PostgreSQL: calm, attack',
    ({ calm, attack }) => `${cpu(calm)}, ${cpu(attack)}`,
  ],
  [
    'most memory (MiB), growth',
    (outcome) => `${whole(outcome.attack.server_peak_mib)}, ${whole(growthMib(outcome))}`,
  ],
  ['missed goals', (outcome) => missedGoals(outcome).join('; ') || 'none'],
]

/** Writes a Markdown table. */
export function writeTable(outcomes: readonly Outcome[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    row(COLUMNS.map(([heading]) => heading)),
    row(COLUMNS.map(() => '---')),
    ...outcomes.map((outcome) => row(COLUMNS.map(([, write]) => write(outcome)))),
  ].join('\n')
}

/** Writes all figures and the table to bench/results. Returns the path. */
export function keep(outcomes: readonly Outcome[]): string {
  const recordedAt = new Date().toISOString()
  const path = join(RESULTS, `${recordedAt.slice(0, 10)}-fairness`)
  const machine = describeMachine()
  const command = ['bin/node bench/fairness.ts', ...process.argv.slice(2)].join(' ')
  const figures = outcomes.map((outcome) => ({ ...outcome, missed_goals: missedGoals(outcome) }))
  const result = { name: 'fairness', recorded_at: recordedAt, command, machine, figures }
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(`${path}.json`, `${JSON.stringify(result, rounded, 2)}\n`)
  const about = `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, commit ${machine.commit}`
  writeFileSync(`${path}.md`, `# One attacker and a hundred others\n\n${about}.\n\n${writeTable(outcomes)}\n`)
  return `${path}.json`
}

function sending({ send_p50_ms: p50, send_p99_ms: p99, send_max_ms: max }: PhaseFigures): string {
  return [p50, p99, max].map(whole).join(', ')
}

function pair(calm: PhaseFigures, attack: PhaseFigures, name: string): string {
  return `${whole(calm[name])}, ${whole(attack[name])}`
}

function cpu({ server_cpu_percent: server = 0, postgres_cpu_percent: postgres = 0 }: PhaseFigures): string {
  return `${whole(server)} + ${whole(postgres)} %`
}

/** A dash stands for a figure that was not measured. */
function whole(value = Number.NaN): string {
  if (Number.isNaN(value)) return '–'
  return value < 10 ? value.toFixed(1) : `${Math.round(value)}`
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value
}
