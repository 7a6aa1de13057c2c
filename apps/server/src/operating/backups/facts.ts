import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { TakenBackup } from './taking.ts'

/** Start of the output line that the server parses and does not log. */
const START = 'facts '

const Facts = Type.Object({
  snapshot: Type.String(),
  files: Type.Integer(),
  file_bytes: Type.Integer(),
  rows: Type.Integer(),
})
/** Name and sizes of a backup, which the server shows to operators. */
export type BackupFacts = Static<typeof Facts>

export function factsLine({ name, manifest }: Pick<TakenBackup, 'name' | 'manifest'>): string {
  const facts: BackupFacts = {
    snapshot: name,
    files: manifest.files.length,
    file_bytes: manifest.files.reduce((sum, { size }) => sum + size, 0),
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
  }
  return `${START}${JSON.stringify(facts)}`
}

/**
 * Separates the facts from the lines for people.
 * @throws Error if there are no facts
 */
export function takeFacts(lines: readonly string[]): { facts: BackupFacts; rest: string[] } {
  const line = lines.findLast((one) => one.startsWith(START)) ?? ''
  const facts = Parse(Facts, JSON.parse(line.slice(START.length) || 'null'))
  return { facts, rest: lines.filter((one) => one !== line) }
}
