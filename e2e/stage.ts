import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { Person } from './person.ts'
import { type Program, startProgram } from './program.ts'

/** The program with nobody in it, and the browser that people come with. */
export class Stage {
  program: Program
  readonly #dataDir: string
  readonly #browser: Browser
  readonly #people: Person[] = []

  static async open(): Promise<Stage> {
    const dataDir = await mkdtemp(join(tmpdir(), 'foyer-e2e-'))
    const [program, browser] = await Promise.all([startProgram({ dataDir }), launchBrowser()])
    return new Stage(dataDir, program, browser)
  }

  private constructor(dataDir: string, program: Program, browser: Browser) {
    this.#dataDir = dataDir
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
    this.program = await startProgram({ dataDir: this.#dataDir, port })
  }

  /** The people stay until the program is gone, which must not wait for them. */
  async close(): Promise<void> {
    try {
      await this.program.stop()
    } finally {
      await this.#browser.close()
      await rm(this.#dataDir, { recursive: true, force: true, maxRetries: 10 })
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
