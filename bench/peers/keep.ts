import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeMachine } from '../machine.ts'
import { type Measurement, writeTable } from './table.ts'

const README = join(import.meta.dirname, '../../README.md')
const RESULTS = join(import.meta.dirname, '../results')
const BEGIN = '<!-- bench/peers.ts writes what stands between here -->'
const END = '<!-- and here -->'

/** Writes the figures and the table to bench/results, and the table into the README. */
export function keep(measurement: Measurement): void {
  const path = join(RESULTS, `${measurement.date}-peers`)
  const command = ['bin/node bench/peers.ts', ...process.argv.slice(2)].join(' ')
  const { rows, missing, problems, rounds, date } = measurement
  const result = {
    name: 'peers',
    recorded_at: date,
    command,
    machine: describeMachine(),
    rounds,
    not_installed: missing.join(', '),
    problems: problems.join('; '),
    figures: Object.fromEntries(rows.map(({ name, figures }) => [name, figures])),
  }
  const table = writeTable(measurement)
  writeFileSync(`${path}.json`, `${JSON.stringify(result, rounded, 2)}\n`)
  // The table's links are relative to the README, in the folder above bench.
  writeFileSync(`${path}.md`, `# Foyer and others\n\n${table.replaceAll('](bench/', '](../')}\n`)
  writeFileSync(README, withTable(readFileSync(README, 'utf8'), table))
}

/** @throws Error when the README has no markers around the table */
function withTable(readme: string, table: string): string {
  const [from, to] = [readme.indexOf(BEGIN), readme.indexOf(END)]
  if (from === -1 || to < from) throw new Error(`README.md has no ${BEGIN} and ${END}`)
  return `${readme.slice(0, from + BEGIN.length)}\n\n${table}\n\n${readme.slice(to)}`
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value
}
