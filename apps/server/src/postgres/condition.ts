/** Log level of a line of PostgreSQL, by its importance for an operator. */

type Level = 'debug' | 'warn' | 'error'

/** Messages to clients that connect at the wrong moment, and about connections that were ended. */
const ROUTINE = /^FATAL: {2}(the database system is |terminating .* due to |connection to client lost)/
const DISK = /No space left on device|Disk quota exceeded|Read-only file system|Input\/output error/
/** Crashes of processes. Matches without the following DETAIL, which may quote people's texts. */
const CRASH =
  /^(LOG|WARNING): {2}(.* was terminated by |(?!background worker).* exited with exit code |terminating any other |all server processes terminated|database system was (interrupted|not properly))/
const READY = 'LOG:  database system is ready to accept connections'

/** Errors that do not disappear without an operator, unlike a full disk or a missing mount. */
const HOPELESS =
  /could not locate (a valid|required) checkpoint record|invalid (primary )?checkpoint record|database files are incompatible with server/

const REASONS = [
  [/No space left on device|Disk quota exceeded/, 'the disk of the database is full'],
  [/Read-only file system/, 'the disk of the database is read-only'],
  [/Input\/output error/, 'the disk of the database has read or write errors'],
] as const

export function levelOf(line: string): Level {
  if (DISK.test(line)) return 'error'
  if (CRASH.test(line)) return 'warn'
  return /^(FATAL|PANIC):/.test(line) && !ROUTINE.test(line) ? 'error' : 'debug'
}

/** Returns whether a database that logged this before it ended can never start again. */
export function isHopeless(lines: string): boolean {
  return HOPELESS.test(lines)
}

/** The reason why the database does not answer, without private details. */
export class Condition {
  #trouble: string | undefined

  get trouble(): string | undefined {
    return this.#trouble
  }

  /** Notes a logged line. After the crash of a process, PostgreSQL recovers by itself and logs READY. */
  note(line: string): void {
    if (line === READY) this.noteReady()
    this.#trouble = REASONS.find(([pattern]) => pattern.test(line))?.[1] ?? this.#trouble
  }

  noteReady(): void {
    this.#trouble = undefined
  }

  noteEnd(): void {
    this.#trouble ??= 'the database ended and is being started again'
  }
}
