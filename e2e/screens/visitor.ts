import type { Locator } from 'playwright-core'
import { eventually } from '../eventually.ts'
import type { Person } from '../person.ts'
import type { Furnished } from './furnished.ts'

/** A screen, and the way to it from wherever one is. */
export interface Screen {
  readonly name: string
  readonly open: (visitor: Visitor) => Promise<void>
  /** What belongs to it alone, where that is only a part of a page seen before. */
  readonly part?: string
  /** The way out, where it is not that of all others. */
  readonly close?: (visitor: Visitor) => Promise<void>
}

export const DESKTOP = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }
export const NARROWEST = { width: 320, height: 640 }
/** A screen that is not there by then is missing. */
const PATIENCE_MS = 10_000
/** What the Escape key closed is gone by then; else it closed something smaller, as a hint. */
const LEAVING_MS = 1000
const DRAWER_BELOW = 800
const OPEN_LAYERS = '[role="dialog"], [role="alertdialog"], [role="menu"]'
/** What stays beside a page until it is closed. */
const SIDE_PANELS = ['Close search', 'Close thread']
/** More than ever lie over each other. */
const MAX_LAYERS = 5

/** Somebody who looks at one screen after the other. */
export class Visitor {
  readonly person: Person
  readonly furnished: Furnished

  constructor(person: Person, furnished: Furnished) {
    this.person = person
    person.context.setDefaultTimeout(PATIENCE_MS)
    this.furnished = furnished
  }

  /** To a place of those who are in, as its links would lead, without loading the page anew. */
  async go(path: string): Promise<void> {
    const { page } = this.person
    await page.evaluate((to) => window.history.pushState(null, '', to), path)
    await page.getByRole('main').getByRole('heading').first().waitFor()
  }

  /** To a channel, with its messages. */
  async goToChannel(place: 'general' | 'conversation' | 'group'): Promise<void> {
    await this.go(this.furnished.paths[place])
    await this.person.page.getByRole('log').getByRole('listitem').last().waitFor()
  }

  /** What stands at the side of a desktop, and in a drawer on a phone. */
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

  /** What lies over the page, if anything does. */
  async openLayers(): Promise<string | null> {
    const count = await this.person.page.locator(OPEN_LAYERS).count()
    return count === 0 ? null : OPEN_LAYERS
  }

  /** What was a popup may be a drawer in another window, which takes a moment. */
  async waitForLayers(): Promise<void> {
    await this.person.page.locator(OPEN_LAYERS).first().waitFor()
  }

  /** Closes whatever lies over the page, or beside it. */
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

  /** What is being written opens lists again and again, and an answer stays what it is. */
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
