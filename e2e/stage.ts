import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { atEndOfBatch, isBatch } from '../apps/server/test/batch.ts'
import { cloneDatabase, type TestDatabase } from '../apps/server/test/database.ts'
import { emptyDatabase } from '../apps/server/test/emptying.ts'
import { query } from '../apps/server/test/valkey/cluster.ts'
import { type BrowserOptions, launchBrowser } from './browser.ts'
import { Person } from './person.ts'
import { type Program, type ProgramOptions, startProgram } from './program.ts'

interface Parts {
  program: Program
  readonly options: Required<Pick<ProgramOptions, 'dataDir' | 'environment'>>
  readonly browser: Browser
  readonly database: TestDatabase
}

/** Program, database and browser that all stages of a batch share, one after another. */
let batchParts: Parts | undefined

/**
 * The program without users, on a database of the tests' PostgreSQL, and a browser. With the embedded PostgreSQL, as in
 * one-person.test.ts and crash.test.ts, the program takes a second longer to start.
 */
export class Stage {
  readonly #parts: Parts
  readonly #isOwn: boolean
  readonly #people: Person[] = []

  /**
   * Opens a stage. Test files that run in one process share the program and the browser; the database is emptied in between.
   * A file that stops the program, moves its clock, or depends on its memory must call `openOwn`: a program that has had
   * users, for example, first offers to log in.
   */
  static async open(): Promise<Stage> {
    if (!isBatch()) return Stage.openOwn()
    if (batchParts !== undefined) {
      await emptyDatabase(batchParts.database.connection)
      return new Stage(batchParts, false)
    }
    const parts = await openParts()
    atEndOfBatch(() => closeParts(parts))
    batchParts = parts
    return new Stage(parts, false)
  }

  /** @param environment additional settings of the program */
  static async openOwn(
    environment: Record<string, string> = {},
    browserOptions: BrowserOptions = {},
  ): Promise<Stage> {
    return new Stage(await openParts(environment, browserOptions), true)
  }

  private constructor(parts: Parts, isOwn: boolean) {
    this.#parts = parts
    this.#isOwn = isOwn
  }

  get program(): Program {
    return this.#parts.program
  }

  /** DATA_DIR of the program. */
  get dataDir(): string {
    return this.#parts.options.dataDir
  }

  async person(name: string, url = this.program.url, worker = false): Promise<Person> {
    const person = await Person.arrive({ browser: this.#parts.browser, name, url, worker })
    this.#people.push(person)
    return person
  }

  /** @param locale language of the browser */
  async speaker(name: string, locale: string): Promise<Person> {
    const person = await Person.arrive({ browser: this.#parts.browser, name, url: this.program.url, locale })
    this.#people.push(person)
    return person
  }

  /** Inserts rows that would take too long to create in the browser. Must be called before a page loads them. */
  seed(statement: string): Promise<void> {
    return query(this.#parts.database.connection, statement)
  }

  /** Saves screenshots of all people if the test failed. To be called after each test. */
  async keepFailure(test: { name: string; passed?: boolean }): Promise<void> {
    if (test.passed !== false) return
    const name = `failed-${test.name.replaceAll(/\W+/g, '-')}`
    for (const person of this.#people) await person.picture(`${name}-${person.name}`)
  }

  /** Starts the program again after it was killed, with the same folder and port. */
  async restart(): Promise<void> {
    const port = Number(new URL(this.program.url).port)
    this.#parts.program = await startProgram({ ...this.#parts.options, port })
  }

  /** Starts another process of the same installation, at ports of its own. The caller must end it. */
  startBeside(environment: Record<string, string>): Promise<Program> {
    const { options } = this.#parts
    return startProgram({ ...options, environment: { ...options.environment, ...environment } })
  }

  /** Closes the stage. A browser of its own closes last, because the program must stop despite open connections. */
  async close(): Promise<void> {
    if (this.#isOwn) return closeParts(this.#parts)
    for (const { context } of this.#people) await context.close()
  }
}

async function openParts(
  environment: Record<string, string> = {},
  browserOptions: BrowserOptions = {},
): Promise<Parts> {
  const database = await cloneDatabase()
  const options = {
    dataDir: await mkdtemp(join(tmpdir(), 'foyer-e2e-')),
    environment: { DATABASE_URL: urlOf(database), ...environment },
  }
  const [program, browser] = await Promise.all([startProgram(options), launchBrowser(browserOptions)])
  return { options, program, browser, database }
}

async function closeParts({ program, browser, database, options }: Parts): Promise<void> {
  try {
    await program.stop()
  } finally {
    await browser.close()
    await database.drop()
    await rm(options.dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Returns a DATABASE_URL. The host is a query parameter, because it may be the folder of a Unix socket. */
function urlOf({ connection }: TestDatabase): string {
  const { connectionString, host = '', user = '', port = 5432, database = '' } = connection
  if (connectionString !== undefined) return connectionString
  const url = new URL(`postgresql:///${database}`)
  url.search = String(new URLSearchParams({ host, user: String(user), port: String(port) }))
  return url.href
}
