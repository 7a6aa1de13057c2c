import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { eventually } from './eventually.ts'

/** Maximum number of key presses to reach a target. */
const MAX_STOPS = 62

/** The keyboard of a user who has no mouse. */
export class Keys {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key)
  }

  /** Types at the focus and presses Enter. */
  async enter(text: string): Promise<void> {
    await this.#page.keyboard.type(text)
    await this.press('Enter')
  }

  /** Waits until the page moves the focus to the target. */
  async isAt(target: Locator): Promise<void> {
    await eventually(() => isFocused(target), true)
  }

  /** Presses Tab, or another key that moves the focus, until the target has it. */
  async goTo(target: Locator, key = 'Tab'): Promise<void> {
    await target.first().waitFor()
    for (let stops = 0; stops < MAX_STOPS && !(await isFocused(target)); stops += 1) await this.press(key)
    assert.ok(await isFocused(target), `${target} is reached with ${key}`)
  }

  /** Moves the focus to the target and presses Enter. */
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

/** Returns true if one of the elements has the focus. */
export function isFocused(target: Locator): Promise<boolean> {
  return target.evaluateAll((elements) => elements.some((element) => element === document.activeElement))
}

/** Runs in the page: opens the lightbox of a tile and presses Escape before the dialog has the focus, as happens on a slow machine. */
export async function openAndEscape(tile: HTMLElement | SVGElement): Promise<void> {
  tile.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  await new Promise((resolve) => queueMicrotask(() => resolve(null)))
  tile.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
}
