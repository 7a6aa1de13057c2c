import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { chooseSection } from './settings.ts'

export const CONSOLE = 'Server administration'
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

/** The operators' console on the page of a person. */
export class Console {
  readonly #person: Person

  constructor(person: Person) {
    this.#person = person
  }

  get dialog(): Locator {
    return this.#person.page.getByRole('dialog', { name: CONSOLE })
  }

  open(section: string): Promise<Locator> {
    return chooseSection(this.#person, CONSOLE, section)
  }

  /** Locates items of a list that contain this text. */
  row(text: string): Locator {
    return this.dialog.getByRole('listitem').filter({ hasText: text })
  }

  /** Chooses an action in the menu of an account or a space. */
  async choose(name: string, action: string): Promise<void> {
    await this.#person.button(`More options for ${name}`).click()
    await this.#person.page.getByRole('menuitem', { name: action }).click()
  }

  look(name: string, part?: string): Promise<void> {
    return lookClosely(this.#person, name, part)
  }
}

/** Takes screenshots of the page, in dark mode and on a phone too, and checks its accessibility and layout. */
export async function lookClosely(person: Person, name: string, part = '[role=dialog]'): Promise<void> {
  const { page } = person
  assert.deepEqual(await namelessParts(page), [])
  await person.picture(`operators-${name}`)
  assert.deepEqual(await axeFindings(page, part), [])
  await page.emulateMedia({ colorScheme: 'dark' })
  await person.picture(`operators-${name}-dark`)
  assert.deepEqual(await axeFindings(page, part), [])
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize(PHONE)
  await person.picture(`operators-${name}-phone`)
  assert.deepEqual(await overflowingParts(page), [])
  await page.setViewportSize(DESKTOP)
}
