import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { eventually } from './eventually.ts'

/** More stops than any page has between two that matter. */
const MAX_STOPS = 30

/** The keyboard of somebody who has nothing else. */
export class Keys {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key)
  }

  /** Writes where the focus is, and presses Enter. */
  async enter(text: string): Promise<void> {
    await this.#page.keyboard.type(text)
    await this.press('Enter')
  }

  /** Once the focus is there by itself. */
  async isAt(target: Locator): Promise<void> {
    await eventually(() => isFocused(target), true)
  }

  /** By Tab, or another key that goes on from one to the next, as far as that is. */
  async goTo(target: Locator, key = 'Tab'): Promise<void> {
    await target.first().waitFor()
    for (let stops = 0; stops < MAX_STOPS && !(await isFocused(target)); stops += 1) await this.press(key)
    assert.ok(await isFocused(target), `${target} is reached with ${key}`)
  }

  /** Goes there and presses it. */
  async use(target: Locator, key = 'Tab'): Promise<void> {
    await this.goTo(target, key)
    await this.press('Enter')
  }

  /** Opens a menu and chooses one of its items. */
  async choose(opener: Locator, item: string): Promise<void> {
    await this.use(opener)
    await this.use(this.#page.getByRole('menuitem', { name: item, exact: true }), 'ArrowDown')
  }
}

/** Whether one of these has the focus. */
export function isFocused(target: Locator): Promise<boolean> {
  return target.evaluateAll((elements) => elements.some((element) => element === document.activeElement))
}
