import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeMachine } from './machine.ts'

export interface Report {
  name: string
  /** Numbers with their unit in the name. */
  figures: Record<string, number>
  /** Failures. Any of them fails the benchmark. */
  problems: readonly string[]
  isRecorded: boolean
}

/** Prints the figures, records them if asked to, and fails the process if there are problems. */
export function report({ name, figures, problems, isRecorded }: Report): void {
  const width = Math.max(...Object.keys(figures).map((key) => key.length))
  console.log(name)
  for (const [key, value] of Object.entries(figures)) console.log(`  ${key.padEnd(width)}  ${round(value)}`)
  for (const problem of problems) console.error(`  PROBLEM: ${problem}`)
  if (problems.length > 0) process.exitCode = 1
  else if (isRecorded) console.log(`  recorded in ${keep(name, figures)}`)
}

function keep(name: string, figures: Report['figures']): string {
  const folder = join(import.meta.dirname, 'results')
  const recordedAt = new Date().toISOString()
  const path = join(folder, `${recordedAt.slice(0, 10)}-${name}.json`)
  const rounded = Object.fromEntries(Object.entries(figures).map(([key, value]) => [key, round(value)]))
  const command = ['bin/node', `bench/${name.replace(/-\d+$/, '')}.ts`, ...process.argv.slice(2)].join(' ')
  const result = { name, recorded_at: recordedAt, command, machine: describeMachine(), figures: rounded }
  mkdirSync(folder, { recursive: true })
  writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`)
  return path
}

/** Rounds to three significant digits, because a benchmark is no more precise. */
function round(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3))
}
