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

/** The parts of the stages that the files of a batch open, one after another. */
let batchParts: Parts | undefined

/**
 * The program with nobody in it, on a database of the tests' PostgreSQL, and the browser that people come with. With
 * the PostgreSQL that it brings, as in one-person.test.ts and crash.test.ts, it takes a second longer to start.
 */
export class Stage {
  readonly #parts: Parts
  readonly #isOwn: boolean
  readonly #people: Person[] = []

  /**
   * Files that run in one process get the same program and browser one after another, with no rows in between. A file that
   * stops the program, moves its clock, or depends on what it keeps in memory opens a stage of its own.
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

  /** @param environment settings of the program, besides those of all tests */
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

  async person(name: string, url = this.program.url, worker = false): Promise<Person> {
    const person = await Person.arrive({ browser: this.#parts.browser, name, url, worker })
    this.#people.push(person)
    return person
  }

  /** @param locale the language that their browser asks for */
  async speaker(name: string, locale: string): Promise<Person> {
    const person = await Person.arrive({ browser: this.#parts.browser, name, url: this.program.url, locale })
    this.#people.push(person)
    return person
  }

  /** Puts rows into the database that would take people too long to make: before anybody looks at them. */
  seed(statement: string): Promise<void> {
    return query(this.#parts.database.connection, statement)
  }

  /** After each test: what everybody had before their eyes when it failed. */
  async keepFailure(test: { name: string; passed?: boolean }): Promise<void> {
    if (test.passed !== false) return
    const name = `failed-${test.name.replaceAll(/\W+/g, '-')}`
    for (const person of this.#people) await person.picture(`${name}-${person.name}`)
  }

  /** After it was killed: on the same folder and the same port. */
  async restart(): Promise<void> {
    const port = Number(new URL(this.program.url).port)
    this.#parts.program = await startProgram({ ...this.#parts.options, port })
  }

  /** People stay on an own stage until the program is gone, which must not wait for them. */
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

/** In the form of DATABASE_URL: the folder of a socket stands among the parameters. */
function urlOf({ connection }: TestDatabase): string {
  const { connectionString, host = '', user = '', port = 5432, database = '' } = connection
  if (connectionString !== undefined) return connectionString
  const url = new URL(`postgresql:///${database}`)
  url.search = String(new URLSearchParams({ host, user: String(user), port: String(port) }))
  return url.href
}
