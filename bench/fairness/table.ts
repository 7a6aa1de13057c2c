import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeMachine } from '../machine.ts'
import { attacks } from './attacks.ts'
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

/** An outcome with the time and the commit of its measurement. */
interface Recorded extends Outcome {
  recorded_at: string
  commit: string
}

/**
 * Writes all figures and the table to today's files in bench/results. Keeps the figures of other attacks in these files, so
 * that one attack can be measured again. Returns the path.
 */
export function keep(outcomes: readonly Outcome[]): string {
  const recordedAt = new Date().toISOString()
  const path = join(RESULTS, `${recordedAt.slice(0, 10)}-fairness`)
  const { commit, ...machine } = describeMachine()
  const measured = outcomes.map((outcome) => ({ ...outcome, recorded_at: recordedAt, commit }))
  const recorded = merge(readRecorded(`${path}.json`), measured)
  const figures = recorded.map((outcome) => ({ ...outcome, missed_goals: missedGoals(outcome).join('; ') }))
  const result = { name: 'fairness', command: 'bin/node bench/fairness.ts --record', machine, figures }
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(`${path}.json`, `${JSON.stringify(result, rounded, 2)}\n`)
  const commits = [...new Set(recorded.map((outcome) => outcome.commit))].join(', ')
  const about = `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, commit ${commits}`
  writeFileSync(`${path}.md`, `# One attacker and a hundred others\n\n${about}.\n\n${writeTable(recorded)}\n`)
  return `${path}.json`
}

function readRecorded(path: string): Recorded[] {
  if (!existsSync(path)) return []
  const { figures }: { figures: Recorded[] } = JSON.parse(readFileSync(path, 'utf8'))
  return figures
}

/** Replaces outcomes that were measured again, and sorts them like the attacks. */
function merge(before: readonly Recorded[], measured: readonly Recorded[]): Recorded[] {
  const byName = new Map([...before, ...measured].map((outcome) => [outcome.name, outcome]))
  return attacks.flatMap(({ name }) => byName.get(name) ?? [])
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

/** Rounds a figure. Returns a dash for a figure that was not measured. */
function whole(value = Number.NaN): string {
  if (Number.isNaN(value)) return '–'
  return value < 10 ? value.toFixed(1) : `${Math.round(value)}`
}

/** Replacer for JSON that rounds figures, and leaves out figures that were not measured. */
function rounded(_key: string, value: unknown): unknown {
  if (Number.isNaN(value)) return undefined
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value
}
