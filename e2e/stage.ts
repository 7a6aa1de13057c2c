import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { Person } from './person.ts'
import { type Program, type ProgramOptions, startProgram } from './program.ts'

type StageOptions = Required<Pick<ProgramOptions, 'dataDir' | 'environment'>>

/** The program with nobody in it, and the browser that people come with. */
export class Stage {
  program: Program
  readonly #options: StageOptions
  readonly #browser: Browser
  readonly #people: Person[] = []

  /** @param environment settings of the program, besides those of all tests */
  static async open(environment: Record<string, string> = {}): Promise<Stage> {
    const options = { dataDir: await mkdtemp(join(tmpdir(), 'foyer-e2e-')), environment }
    const [program, browser] = await Promise.all([startProgram(options), launchBrowser()])
    return new Stage(options, program, browser)
  }

  private constructor(options: StageOptions, program: Program, browser: Browser) {
    this.#options = options
    this.program = program
    this.#browser = browser
  }

  async person(name: string, url = this.program.url): Promise<Person> {
    const person = await Person.arrive({ browser: this.#browser, name, url })
    this.#people.push(person)
    return person
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
      await rm(this.#options.dataDir, { recursive: true, force: true, maxRetries: 10 })
    }
  }
}

/** Two people who have just met in the room #general of the host's new space. */
export async function meet(host: Person, guest: Person): Promise<void> {
  await host.page.goto('/')
  await host.button('Create an account').click()
  await host.signUp()
  await host.createSpace('Sunday hikers')
  await guest.page.goto(await host.makeInvite())
  await guest.signUp()
  await guest.composer('general').waitFor()
}
