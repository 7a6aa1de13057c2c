import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { query } from '../apps/server/test/cluster.ts'
import { cloneDatabase, type TestDatabase } from '../apps/server/test/database.ts'
import { type BrowserOptions, launchBrowser } from './browser.ts'
import { Person } from './person.ts'
import { type Program, type ProgramOptions, startProgram } from './program.ts'

type StageOptions = Required<Pick<ProgramOptions, 'dataDir' | 'environment'>>

/**
 * The program with nobody in it, on a database of the tests' PostgreSQL, and the browser that people come with. With
 * the PostgreSQL that it brings, as in one-person.test.ts and crash.test.ts, it takes a second longer to start.
 */
export class Stage {
  program: Program
  readonly #options: StageOptions
  readonly #browser: Browser
  readonly #database: TestDatabase
  readonly #people: Person[] = []

  /** @param environment settings of the program, besides those of all tests */
  static async open(
    environment: Record<string, string> = {},
    browserOptions: BrowserOptions = {},
  ): Promise<Stage> {
    const database = await cloneDatabase()
    const options = {
      dataDir: await mkdtemp(join(tmpdir(), 'foyer-e2e-')),
      environment: { DATABASE_URL: urlOf(database), ...environment },
    }
    const [program, browser] = await Promise.all([startProgram(options), launchBrowser(browserOptions)])
    return new Stage({ options, program, browser, database })
  }

  private constructor(parts: {
    options: StageOptions
    program: Program
    browser: Browser
    database: TestDatabase
  }) {
    this.#options = parts.options
    this.program = parts.program
    this.#browser = parts.browser
    this.#database = parts.database
  }

  async person(name: string, url = this.program.url, worker = false): Promise<Person> {
    const person = await Person.arrive({ browser: this.#browser, name, url, worker })
    this.#people.push(person)
    return person
  }

  /** @param locale the language that their browser asks for */
  async speaker(name: string, locale: string): Promise<Person> {
    const person = await Person.arrive({ browser: this.#browser, name, url: this.program.url, locale })
    this.#people.push(person)
    return person
  }

  /** Puts rows into the database that would take people too long to make: before anybody looks at them. */
  seed(statement: string): Promise<void> {
    return query(this.#database.connection, statement)
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
    this.program = await startProgram({ ...this.#options, port })
  }

  /** The people stay until the program is gone, which must not wait for them. */
  async close(): Promise<void> {
    try {
      await this.program.stop()
    } finally {
      await this.#browser.close()
      await this.#database.drop()
      await rm(this.#options.dataDir, { recursive: true, force: true, maxRetries: 10 })
    }
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
