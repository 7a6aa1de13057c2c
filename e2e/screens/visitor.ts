import type { Locator } from 'playwright-core'
import { eventually } from '../eventually.ts'
import type { Person } from '../person.ts'
import type { Furnished } from './furnished.ts'

/** A screen, and the way to it from any other screen. */
export interface Screen {
  readonly name: string
  readonly open: (visitor: Visitor) => Promise<void>
  /** Selector of the part to check, if another screen checks the rest of the page. */
  readonly part?: string
  /** Leaves the screen. Default: `Visitor.leave`. */
  readonly close?: (visitor: Visitor) => Promise<void>
}

export const DESKTOP = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }
export const NARROWEST = { width: 320, height: 640 }
/** Time for a screen to open before it counts as missing. */
const PATIENCE_MS = 10_000
/**
 * Time for a layer to close after Escape. If it is still open then, Escape has closed something smaller, such as a
 * hint.
 */
const LEAVING_MS = 1000
const DRAWER_BELOW = 800
const OPEN_LAYERS = '[role="dialog"], [role="alertdialog"], [role="menu"]'
/** Buttons that close the panels beside a page. */
const SIDE_PANELS = ['Close search', 'Close files', 'Close replies']
/** Maximum number of layers that are open over each other. */
const MAX_LAYERS = 5

/** A person who looks at one screen after another. */
export class Visitor {
  readonly person: Person
  readonly furnished: Furnished

  constructor(person: Person, furnished: Furnished) {
    this.person = person
    person.context.setDefaultTimeout(PATIENCE_MS)
    this.furnished = furnished
  }

  /** Navigates as a link would, without reloading the page. Requires a signed-in user. */
  async go(path: string): Promise<void> {
    const { page } = this.person
    await page.evaluate((to) => window.history.pushState(null, '', to), path)
    await page.getByRole('main').getByRole('heading').first().waitFor()
  }

  /** Opens a channel and waits for its messages. */
  async goToChannel(place: 'general' | 'conversation' | 'group'): Promise<void> {
    await this.go(this.furnished.paths[place])
    await this.person.page.getByRole('log').getByRole('listitem').last().waitFor()
  }

  /** Opens the sidebar on phones, where it is a drawer. On desktops it is always visible. */
  async sidebar(): Promise<void> {
    const { page } = this.person
    if ((page.viewportSize()?.width ?? 0) >= DRAWER_BELOW) return
    await this.person.button('Open spaces and rooms').click()
    await page.getByRole('dialog', { name: 'Spaces and rooms' }).waitFor()
  }

  async clickMenu(item: string): Promise<void> {
    await this.person.page.getByRole('menuitem', { name: item, exact: true }).click()
  }

  dialog(name?: string | RegExp): Locator {
    return this.person.page.getByRole('dialog', name === undefined ? {} : { name })
  }

  /** Returns a selector of the layers over the page; null if there are none. */
  async openLayers(): Promise<string | null> {
    const count = await this.person.page.locator(OPEN_LAYERS).count()
    return count === 0 ? null : OPEN_LAYERS
  }

  /** Waits for a layer after the window size has changed: a popup may reopen as a drawer. */
  async waitForLayers(): Promise<void> {
    await this.person.page.locator(OPEN_LAYERS).first().waitFor()
  }

  /** Closes everything over the page and beside it. */
  async leave(): Promise<void> {
    const { page } = this.person
    for (const name of SIDE_PANELS) {
      const button = this.person.button(name)
      if ((await button.count()) > 0) await button.click()
      await button.waitFor({ state: 'detached' })
    }
    await this.#dropDraft()
    const layers = page.locator(OPEN_LAYERS)
    for (let left = MAX_LAYERS; left > 0 && (await layers.count()) > 0; left -= 1) {
      const count = await layers.count()
      await page.keyboard.press('Escape')
      await page
        .waitForFunction(
          ([selector, before]) => document.querySelectorAll(selector).length < before,
          [OPEN_LAYERS, count] as const,
          { timeout: LEAVING_MS },
        )
        .catch(() => undefined)
    }
    await eventually(() => layers.count(), 0)
  }

  /** Discards the draft, which could open its list again, and cancels a reply or edit, which would stay open. */
  async #dropDraft(): Promise<void> {
    const { page } = this.person
    const command = page.locator('.command-head').getByRole('button', { name: 'Cancel' })
    if ((await command.count()) > 0) await command.click()
    const editor = this.person.field('Edit message')
    if ((await editor.count()) > 0) await editor.press('Escape')
    const composer = page.locator('#main .composer-input').first()
    if ((await composer.count()) === 0 || !(await composer.isVisible())) return
    await composer.fill('')
    await composer.press('Escape')
  }
}
