import { LINES_PER_FILE } from '../format.ts'
import type { ArchiveEntry, TrackedEntries } from './tracked-entries.ts'

/** Collects lines into entries of LINES_PER_FILE lines. */
export class LineFiles {
  readonly #entries: TrackedEntries
  readonly #nameOf: (number: number) => string
  #number = 0
  #lines: object[] = []

  /** @param nameOf the name of an entry, by its number from 1 on */
  constructor(entries: TrackedEntries, nameOf: (number: number) => string) {
    this.#entries = entries
    this.#nameOf = nameOf
  }

  /** Yields the entries that are full. */
  *add(lines: readonly object[]): Generator<ArchiveEntry> {
    this.#lines.push(...lines)
    while (this.#lines.length >= LINES_PER_FILE) yield this.#next()
  }

  /** Yields the last entry, if lines are left. */
  *end(): Generator<ArchiveEntry> {
    if (this.#lines.length > 0) yield this.#next()
  }

  #next(): ArchiveEntry {
    this.#number += 1
    return this.#entries.ofText(this.#nameOf(this.#number), textOf(this.#lines.splice(0, LINES_PER_FILE)))
  }
}

export function textOf(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}
