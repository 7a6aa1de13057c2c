import type { Locator } from 'playwright-core'
import { NEWEST, PHOTO } from './messages-of-all-kinds.ts'
import type { Screen, Visitor } from './visitor.ts'

/** Defines a layer over the room #general. */
function layer(name: string, act: (visitor: Visitor) => Promise<void>, part?: string): Screen {
  return {
    name,
    ...(part !== undefined && { part }),
    async open(visitor) {
      await visitor.goToChannel('general')
      await act(visitor)
    },
  }
}

function byButton(name: string, button: string | RegExp, shown: string | RegExp = button): Screen {
  return layer(name, async (visitor) => {
    await visitor.person.page.getByRole('main').getByRole('button', { name: button, exact: true }).click()
    await visitor.person.page.getByLabel(shown).last().waitFor()
  })
}

/** Opens the menu of the newest message with the Enter key. */
async function openMenu({ person }: Visitor): Promise<Locator> {
  await person.message(NEWEST).last().focus()
  await person.page.keyboard.press('Enter')
  const menu = person.page.getByRole('menu')
  await menu.waitFor()
  return menu
}

function byMenu(name: string, item: string): Screen {
  return layer(name, async (visitor) => {
    await openMenu(visitor)
    await visitor.clickMenu(item)
    await visitor.person.page.locator('[role="dialog"], [role="alertdialog"]').waitFor()
  })
}

/** Layers over a room, and panels beside it. */
export const LAYERS: readonly Screen[] = [
  layer('message-menu', async (visitor) => {
    await openMenu(visitor)
  }),
  byMenu('forward', 'Forward'),
  byMenu('delete-message', 'Delete message'),
  layer(
    'message-editor',
    async ({ person }) => {
      await person.message(NEWEST).last().focus()
      await person.page.keyboard.press('e')
      await person.field('Edit message').waitFor()
    },
    '.message-editor',
  ),
  layer(
    'reply',
    async ({ person }) => {
      await person.message(NEWEST).last().focus()
      await person.page.keyboard.press('r')
      await person.page.locator('.reply-bar').waitFor()
    },
    '.composer',
  ),
  layer('report-message', async (visitor) => {
    const { person } = visitor
    await person.message('I come too.').first().focus()
    await person.page.keyboard.press('Enter')
    await visitor.clickMenu('Report message')
    await visitor.dialog().getByText('What’s wrong?').waitFor()
  }),
  layer('reactors', async (visitor) => {
    const { person } = visitor
    await person.message('What to bring').first().focus()
    await person.page.keyboard.press('Enter')
    await visitor.clickMenu('Show reactions')
    await visitor.dialog().getByText('Jonas Weber').waitFor()
  }),
  layer('emoji-picker', async ({ person }) => {
    await person.button('Emoji and stickers').click()
    await person.page.getByRole('button', { name: 'grinning face', exact: true }).waitFor()
  }),
  layer('sticker-picker', async ({ person }) => {
    await person.button('Emoji and stickers').click()
    await person.page.getByRole('tab', { name: 'Stickers' }).click()
    await person.page
      .getByRole('button', { name: /Summit/ })
      .last()
      .waitFor()
  }),
  byButton('pins', 'Pinned messages'),
  byButton('threads', 'Threads'),
  layer(
    'search',
    async ({ person }) => {
      await person.button('Search messages').click()
      const field = person.page.getByRole('combobox', { name: /^Search / })
      await field.fill('boots')
      await field.press('Enter')
      await person.page.locator('.search-panel mark').first().waitFor()
    },
    '.search-panel',
  ),
  layer(
    'files',
    async ({ person }) => {
      // On phones, the files are opened from the search panel.
      await person.button('Search messages').click()
      await person.button('All pictures, videos and files').click()
      await person.page.locator('.search-panel').getByRole('button', { name: PHOTO }).waitFor()
    },
    '.search-panel',
  ),
  layer(
    'thread',
    async ({ person }) => {
      await person.page
        .getByRole('log')
        .getByRole('button', { name: /^1 reply/ })
        .click()
      await person.field('Write a reply').waitFor()
    },
    '.thread',
  ),
  layer(
    'bot-select',
    async ({ person }) => {
      await person.page.getByRole('combobox', { name: 'Another city' }).click()
      await person.page.getByRole('option', { name: 'Bergen' }).waitFor()
    },
    '.component-options',
  ),
  byButton('notifications', 'Notifications', /^Notifications/),
  layer('profile', async ({ person }) => {
    await person.page.getByRole('log').getByRole('button', { name: 'Jonas Weber' }).last().click()
    await person.page.getByRole('dialog', { name: 'Jonas Weber' }).waitFor()
  }),
  layer('full-profile', async ({ person }) => {
    await person.page.getByRole('log').getByRole('button', { name: 'Jonas Weber' }).last().click()
    await person.button('View full profile').click()
    await person.page.getByRole('dialog', { name: 'Jonas Weber’s profile' }).waitFor()
  }),
  layer('lightbox', async ({ person }) => {
    await person.page
      .getByRole('log')
      .getByRole('button', { name: new RegExp(PHOTO) })
      .first()
      .click()
    await person.page.getByRole('dialog').getByRole('img').waitFor()
  }),
  layer('quick-switcher', async ({ person }) => {
    await person.page.keyboard.press('Control+k')
    await person.page.getByRole('option').first().waitFor()
  }),
  layer('shortcuts', async ({ person }) => {
    await person.page.keyboard.press('Control+/')
    await person.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  }),
]
