import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeMachine, type Machine } from '../bench/machine.ts'
import { type Finding, type Findings, VIOLATIONS } from './audit/findings.ts'
import type { FaultRecord } from './faults/schedule.ts'
import type { Options } from './options.ts'

/** Everything a run reports. */
export interface Report {
  recorded_at: string
  command: string
  machine: Machine
  figures: Record<string, number>
  /** Counts by kind of violation, including zeros. */
  violations: Record<string, number>
  unclear_answers: Record<string, number>
  refusals: Record<string, number>
  faults: FaultSummary[]
}

interface FaultSummary {
  name: string
  times: number
  lasted_ms_most: number
  converged_ms_median: number
  converged_ms_most: number
}

export interface Results {
  figures: Record<string, number>
  findings: Findings
  unclear: ReadonlyMap<string, number>
  refusals: ReadonlyMap<string, number>
  faults: readonly FaultRecord[]
}

export function makeReport(
  options: Options,
  { figures, findings, unclear, refusals, faults }: Results,
): Report {
  return {
    recorded_at: new Date().toISOString(),
    command: ['bin/node', 'chaos/main.ts', ...process.argv.slice(2), `(seed ${options.seed})`].join(' '),
    machine: describeMachine(),
    figures: Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Math.round(value)])),
    violations: findings.counts(),
    unclear_answers: Object.fromEntries(unclear),
    refusals: Object.fromEntries(refusals),
    faults: summarize(faults),
  }
}

export function printReport(report: Report, findings: Findings, folder: string): void {
  printTable('Figures', Object.entries(report.figures))
  printTable('Unclear answers, retried', Object.entries(report.unclear_answers))
  const rows = report.faults.map((fault) => [
    fault.name,
    `${fault.times} times, lasted up to ${fault.lasted_ms_most} ms, clients caught up after ${fault.converged_ms_median} to ${fault.converged_ms_most} ms`,
  ])
  printTable('Faults', rows)
  printTable('Violations', Object.entries(report.violations))
  for (const { violation, what, at, evidence } of findings.kept)
    console.error(`${violation} at ${Math.round(at)} ms: ${what} ${describeEvidence(evidence)}`)
  for (const [name, meaning] of Object.entries(VIOLATIONS))
    if ((report.violations[name] ?? 0) > 0) console.error(`${name}: ${meaning}`)
  if (findings.total > 0) console.error(`All evidence and the logs of the processes are in ${folder}`)
}

/** Appends a finding to a file next to the logs of the processes. */
export function keepFinding(folder: string, finding: Finding): void {
  appendFileSync(join(folder, 'findings.jsonl'), `${JSON.stringify(finding, replaceMaps)}\n`)
}

export function keepReport(folder: string, report: Report): void {
  writeFileSync(join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`)
}

/** @returns the path of the file */
export function recordReport(report: Report): string {
  const folder = join(import.meta.dirname, 'results')
  const path = join(folder, `${report.recorded_at.slice(0, 10)}-${report.figures.acknowledged}-sends.json`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`)
  return path
}

function summarize(faults: readonly FaultRecord[]): FaultSummary[] {
  return [...Map.groupBy(faults, ({ name }) => name)].map(([name, all]) => {
    const converged = all
      .map(({ convergedMs }) => Math.round(convergedMs))
      .toSorted((one, other) => one - other)
    return {
      name,
      times: all.length,
      lasted_ms_most: Math.round(Math.max(...all.map(({ lastedMs }) => lastedMs))),
      converged_ms_median: converged[Math.floor(converged.length / 2)] ?? 0,
      converged_ms_most: converged.at(-1) ?? 0,
    }
  })
}

function printTable(title: string, rows: readonly (readonly unknown[])[]): void {
  if (rows.length === 0) return
  const width = Math.max(...rows.map(([name]) => String(name).length))
  console.log(title)
  for (const [name, value] of rows) console.log(`  ${String(name).padEnd(width)}  ${value}`)
}

const MAX_EVIDENCE = 700

function describeEvidence(evidence: Record<string, unknown>): string {
  return JSON.stringify(evidence, replaceMaps).slice(0, MAX_EVIDENCE)
}

function replaceMaps(_key: string, value: unknown): unknown {
  return value instanceof Map ? Object.fromEntries(value) : value
}
