import { POST } from './forum.ts'
import { LONG_ROOM } from './furnished.ts'
import type { Screen, Visitor } from './visitor.ts'

function friends(tab: string): Screen {
  return {
    name: `friends-${tab}`,
    async open(visitor) {
      await visitor.go(`/friends/${tab}`)
      // The panel of the previous tab stays for a moment. It is marked `inert`.
      await visitor.person.page.locator('[role="tabpanel"]:not([inert])').waitFor()
    },
  }
}

async function pressInComposer({ person }: Visitor, text: string): Promise<void> {
  await person.composer('general').fill('')
  await person.composer('general').pressSequentially(text)
}

/** Pages of signed-in users, and parts of these pages. */
export const PAGES: readonly Screen[] = [
  { name: 'home', open: (visitor) => visitor.go('/home') },
  ...['all', 'pending', 'blocked'].map(friends),
  { name: 'missing', open: (visitor) => visitor.go('/spaces/00000000-0000-4000-8000-000000000000') },
  { name: 'add-bot', open: (visitor) => visitor.go(visitor.furnished.paths.bot) },
  { name: 'room-empty', open: (visitor) => visitor.go(visitor.furnished.paths.quiet) },
  {
    name: 'room-sidebar',
    async open(visitor) {
      await visitor.sidebar()
      await visitor.person.room(LONG_ROOM).waitFor()
    },
  },
  { name: 'voice-room', open: (visitor) => visitor.go(visitor.furnished.paths.lounge) },
  {
    name: 'voice-room-chat',
    part: '.voice-chat',
    async open(visitor) {
      await visitor.go(visitor.furnished.paths.lounge)
      await visitor.person.button('Show chat').click()
      await visitor.person.field('Message lounge').waitFor()
    },
    close: ({ person }) => person.button('Hide chat').click(),
  },
  {
    name: 'forum',
    async open(visitor) {
      await visitor.go(visitor.furnished.paths.forum)
      await visitor.person.page.getByRole('link', { name: POST }).waitFor()
    },
  },
  {
    name: 'forum-new-post',
    part: '.forum-form',
    async open({ person }) {
      await person.button('New post').click()
      await person.field('Title').waitFor()
    },
    close: ({ person }) => person.page.locator('.forum-form').getByRole('button', { name: 'Cancel' }).click(),
  },
  {
    name: 'post',
    async open(visitor) {
      await visitor.go(visitor.furnished.paths.post)
      await visitor.person.message('From May on.').waitFor()
    },
  },
  { name: 'conversation', open: (visitor) => visitor.goToChannel('conversation') },
  { name: 'group', open: (visitor) => visitor.goToChannel('group') },
  { name: 'room', open: (visitor) => visitor.goToChannel('general') },
  {
    name: 'room-top',
    async open({ person }) {
      await person.page.getByRole('log').locator('.md-heading').first().scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'room-composer',
    async open(visitor) {
      await visitor.goToChannel('general')
      await pressInComposer(visitor, 'A draft, @jon')
      await visitor.person.page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'slash-picker',
    async open(visitor) {
      await pressInComposer(visitor, '/fore')
      await visitor.person.page.getByRole('option', { name: /forecast/ }).waitFor()
    },
  },
  {
    name: 'command-form',
    async open(visitor) {
      const { page } = visitor.person
      // Another text, because the picker would stay closed for the text of the previous screen.
      await pressInComposer(visitor, '/forec')
      await page.getByRole('option', { name: /forecast/ }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Add days' }).waitFor()
    },
  },
  {
    name: 'new-space',
    async open(visitor) {
      await visitor.go('/home')
      await visitor.person.createSpace('Lake rowers')
      await visitor.person.page.getByRole('region', { name: 'Set up your space' }).waitFor()
    },
  },
]
