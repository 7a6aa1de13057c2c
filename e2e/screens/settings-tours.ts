import { picture } from '../sample-files.ts'
import { chooseFiles } from '../settings.ts'
import { FORUM } from './forum.ts'
import { SPACE } from './furnished.ts'
import type { Screen, Visitor } from './visitor.ts'

/** Settings with all their sections, and pages that some sections lead to. */
export interface SettingsTour extends Screen {
  readonly title: string
  readonly pages: readonly SectionPage[]
}

interface SectionPage extends Screen {
  readonly section: string
  /** Name of the button that leads back; null if Escape closes the page. */
  readonly back: string | null
}

/** Defines the page of an item that a section lists. */
function pageOf(section: string, listed: RegExp, name: string): SectionPage {
  return {
    name,
    section,
    back: `Back to ${section.toLowerCase()}`,
    async open({ person }) {
      await person.page.getByRole('dialog').getByRole('button', { name: listed }).first().click()
      await person.button(`Back to ${section.toLowerCase()}`).waitFor()
    },
  }
}

async function creatingApplication({ person }: Visitor): Promise<void> {
  await person.button('Create application').click()
  await person.page.getByRole('dialog', { name: 'Create an application' }).waitFor()
}

async function cropping({ person }: Visitor): Promise<void> {
  const photo = picture('ridge.png', { width: 900, height: 300, sky: [92, 150, 226] })
  await chooseFiles(person.button('Change: Avatar'), [photo])
  await person.page.getByRole('dialog', { name: 'Avatar' }).getByRole('slider').waitFor()
}

async function addingRule({ person }: Visitor): Promise<void> {
  await person.button('Add rule').click()
  await person.button('Back to AutoMod').waitFor()
}

async function banning({ person }: Visitor): Promise<void> {
  await person.button('More options for Jonas Weber').click()
  await person.page.getByRole('menuitem', { name: 'Ban' }).click()
  await person.field('Reason').waitFor()
}

async function deciding({ person }: Visitor): Promise<void> {
  await person.button('Decide…').click()
  await person.page.getByRole('dialog', { name: 'Decide on the report' }).waitFor()
}

async function locking({ person }: Visitor): Promise<void> {
  await person.button('More options for @jonas').click()
  await person.page.getByRole('menuitem', { name: 'Lock…' }).click()
  await person.field('Reason').waitFor()
}

async function invitingToServer({ person }: Visitor): Promise<void> {
  await person.button('Create invite').click()
  await person.field('Note').waitFor()
}

async function announcing({ person }: Visitor): Promise<void> {
  await person.button('Write an announcement').click()
  await person.field('Ends').waitFor()
}

export const TOURS: readonly SettingsTour[] = [
  {
    name: 'user-settings',
    title: 'User settings',
    async open(visitor) {
      await visitor.goToChannel('general')
      await visitor.sidebar()
      await visitor.person.button(/^Account: /).click()
      await visitor.person.button('User settings').click()
    },
    pages: [
      { name: 'crop', section: 'Profile', back: null, open: cropping },
      { name: 'create', section: 'Applications', back: null, open: creatingApplication },
      pageOf('Applications', /^Weather @/, 'application'),
    ],
  },
  {
    name: 'space-settings',
    title: SPACE,
    async open(visitor) {
      await visitor.goToChannel('general')
      await visitor.sidebar()
      await visitor.person.button(`${SPACE}, space menu`).click()
      await visitor.clickMenu('Space settings')
    },
    pages: [
      pageOf('Roles', /^Guides/, 'role'),
      { name: 'ban', section: 'Members', back: null, open: banning },
      pageOf('Webhooks', /^Edit Weather station/, 'webhook'),
      { name: 'report', section: 'Reports', back: null, open: deciding },
      { name: 'automod-rule', section: 'AutoMod', back: 'Back to AutoMod', open: addingRule },
    ],
  },
  {
    name: 'room-settings',
    title: 'general',
    async open(visitor) {
      await visitor.goToChannel('general')
      await visitor.person.button('Room settings').click()
    },
    pages: [],
  },
  {
    name: 'forum-settings',
    title: FORUM,
    async open(visitor) {
      await visitor.go(visitor.furnished.paths.forum)
      await visitor.person.button('Room settings').click()
    },
    pages: [],
  },
  {
    name: 'operators',
    title: 'Server administration',
    async open(visitor) {
      await visitor.goToChannel('general')
      await visitor.sidebar()
      await visitor.person.button(/^Account: /).click()
      await visitor.person.page.getByRole('link', { name: 'Server administration' }).click()
    },
    pages: [
      { name: 'lock', section: 'People', back: null, open: locking },
      { name: 'report', section: 'Reports', back: null, open: deciding },
      { name: 'invite', section: 'Sign-ups', back: null, open: invitingToServer },
      { name: 'announcement', section: 'Announcements', back: null, open: announcing },
    ],
  },
  {
    name: 'group-settings',
    title: 'Trip to the lakes',
    async open(visitor) {
      await visitor.goToChannel('group')
      await visitor.person.button('Group settings').click()
    },
    pages: [],
  },
]

/** Returns the names of the sections of the open settings. */
export async function sectionsOf({ person }: Visitor, { title }: SettingsTour): Promise<string[]> {
  const links = person.page.getByRole('dialog', { name: title }).locator('.settings-link')
  await links.first().waitFor()
  return links.allInnerTexts()
}

/** Opens a section. On phones, an open section replaces the list of sections. */
export async function enterSection({ person }: Visitor, title: string, section: string): Promise<void> {
  const dialog = person.page.getByRole('dialog', { name: title })
  const list = dialog.getByRole('button', { name: 'All settings' })
  if (await list.isVisible()) await list.click()
  await dialog.getByRole('navigation').getByRole('button', { name: section, exact: true }).click()
  await dialog.getByRole('heading', { level: 3, name: section, exact: true }).waitFor()
  await dialog.locator('.settings-loading').waitFor({ state: 'detached' })
}

export async function leavePage({ person }: Visitor, { back }: SectionPage): Promise<void> {
  if (back === null) return person.page.keyboard.press('Escape')
  await person.button(back).click()
}
