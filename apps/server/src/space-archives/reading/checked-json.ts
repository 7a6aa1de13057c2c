import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import { isGoodText } from '#src/kernel/http/bodies/body.ts'
import { compileInput, invalidInput } from '#src/kernel/http/validation.ts'
import { ArchiveError } from './archive-error.ts'

/** Checks a parsed value by its schema. */
export type Checker<T> = (value: unknown, where: string) => T

/**
 * Returns a checker for a schema, which is compiled on first use. The checker drops fields that the schema does not have.
 */
export function checkerOf<S extends TSchema>(schema: S): Checker<Static<S>> {
  let compiled: ReturnType<typeof compileInput<S>> | undefined
  return (value, where) => {
    compiled ??= compileInput(schema)
    if (compiled(value)) return value
    throw new ArchiveError(`${where}: ${invalidInput(compiled.errors, 'it').message}`)
  }
}

/**
 * Parses the bytes of an entry or a line. It counts the values first: few bytes can contain so many that parsing them
 * blocks the process for seconds and takes a hundred times their memory, even where the schema would drop them.
 * @throws ArchiveError
 */
export function parseJson(
  bytes: Buffer,
  { where, maxValues }: { where: string; maxValues: number },
): unknown {
  if (hasMoreValues(bytes, maxValues)) throw new ArchiveError(`${where} has more than ${maxValues} values`)
  if (!isUtf8(bytes)) throw new ArchiveError(`${where} is not UTF-8`)
  const value = parseText(bytes.toString(), where)
  if (!isGoodText(value)) throw new ArchiveError(`${where} contains NUL or lone surrogates`)
  return value
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const BRACKET = 0x5b
const BRACE = 0x7b

/** Counts the separators between values. Strings are skipped, because a text may consist of commas. */
function hasMoreValues(bytes: Buffer, most: number): boolean {
  let count = 0
  let isText = false
  for (let at = 0; at < bytes.length && count <= most; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) isText = !isText
    else if (isText && byte === BACKSLASH) at += 1
    else if (!isText && (byte === COMMA || byte === BRACKET || byte === BRACE)) count += 1
  }
  return count > most
}

function parseText(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ArchiveError(`${where} is not JSON`)
  }
}

const NEWLINE = 10

/** Limits of a stream of lines. `maxBytes` applies to each line. */
interface Bounds {
  name: string
  maxBytes: number
  maxLines: number
}

/** A line and its position for error messages. */
export interface Line {
  bytes: Buffer
  where: string
}

/** Splits a stream into lines, and skips empty lines. At most one line and a chunk are in memory. */
export async function* linesIn(stream: Readable, bounds: Bounds): AsyncGenerator<Line> {
  const splitter = new LineSplitter(bounds)
  for await (const chunk of stream) yield* splitter.push(chunk)
  yield* splitter.end()
}

class LineSplitter {
  readonly #bounds: Bounds
  #number = 1
  #pieces: Buffer[] = []
  #size = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** @throws ArchiveError for a line that is too long, and for too many lines, including empty ones */
  *push(chunk: Buffer): Generator<Line> {
    let rest = chunk
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      this.#checkNumber()
      this.#take(rest.subarray(0, end))
      rest = rest.subarray(end + 1)
      yield* this.end()
    }
    this.#take(rest)
  }

  /** Ends the current line, and yields it unless it is empty. */
  *end(): Generator<Line> {
    const line = { bytes: Buffer.concat(this.#pieces), where: this.#where() }
    this.#pieces = []
    this.#size = 0
    this.#number += 1
    if (line.bytes.length > 0) yield line
  }

  #take(piece: Buffer): void {
    this.#size += piece.length
    const { maxBytes } = this.#bounds
    // The newline at the end of a file begins an empty line, which is not counted.
    if (this.#size > 0) this.#checkNumber()
    if (this.#size > maxBytes) throw new ArchiveError(`${this.#where()} has more than ${maxBytes} bytes`)
    this.#pieces.push(piece)
  }

  #checkNumber(): void {
    const { name, maxLines } = this.#bounds
    if (this.#number > maxLines) throw new ArchiveError(`${name} has more than ${maxLines} lines`)
  }

  #where(): string {
    return `${this.#bounds.name}, line ${this.#number}`
  }
}
