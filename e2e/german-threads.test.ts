import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { Administration } from '@foyer/sdk/api/administration'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { assertGerman } from './german.ts'
import type { Person } from './person.ts'
import { overflowingParts } from './screens/looks.ts'
import { chooseSection, closeSettings } from './settings.ts'
import { type Settled, settlePerson } from './settled.ts'
import { Stage } from './stage.ts'

const PHONE = { width: 320, height: 640 }
const DESKTOP = { width: 1280, height: 800 }
const ROOM_NAMES = {
  text_category: 'Texträume',
  text_room: 'allgemein',
  voice_category: 'Sprachräume',
  voice_room: 'Sofaecke',
}

/** Lena owns the space and runs the server. Her browser is German. */
describe('threads, forums, announcements and rooms on the web in German', { skip: noBrowser }, () => {
  let stage: Stage
  let host: Settled
  let lena: Person
  let space: string
  let general: string

  before(async () => {
    stage = await Stage.openOwn()
    lena = await stage.speaker('lena', 'de-DE')
    host = await settlePerson(lena)
    await host.client.api(Administration).updatePublicPages({ public_pages: true })
    const made = await host.client.spaces.create({ name: 'Sonntagswanderer', room_names: ROOM_NAMES })
    space = made.space.id
    general = made.rooms.find(({ name }) => name === ROOM_NAMES.text_room)?.id ?? ''
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const go = (room: string) => lena.page.goto(`/spaces/${space}/rooms/${room}`)
  const dialog = (name: string | RegExp) => lena.page.getByRole('dialog', { name })
  const choose = (name: string) => lena.page.getByRole('menuitem', { name, exact: true }).click()

  /** Looks at the page, also on a phone, where German words are long. */
  async function look(screen: string): Promise<void> {
    await assertGerman(lena, screen)
    await lena.page.setViewportSize(PHONE)
    await eventually(() => overflowingParts(lena.page), [])
    await lena.picture(`german-${screen.replaceAll(' ', '-')}`)
    await lena.page.setViewportSize(DESKTOP)
  }

  async function close(name: string | RegExp): Promise<void> {
    await lena.page.keyboard.press('Escape')
    await dialog(name).waitFor({ state: 'detached' })
  }

  test('a thread, its list, its menus and its dialogs', async () => {
    const [message, thread] = await Promise.all([
      host.client.messages.create(general, { content: 'Grat oder See?' }),
      host.client.api(ThreadRooms).create(general, { title: 'Zelte', content: 'Wer hat eins?' }),
    ])
    await go(general)
    await lena.message(message.content).click({ button: 'right' })
    await assertGerman(lena, 'the menu of a message')
    await choose('Thread beginnen')
    await dialog('Thread beginnen').waitFor()
    await look('start of a thread')
    await close('Thread beginnen')
    await lena.button('Threads').click()
    await dialog('Threads').getByText('Zelte').waitFor()
    await look('list of threads')
    await lena.button('„Zelte“ mit einem anderen Thread zusammenlegen').click()
    await look('merge of threads')
    await close(/zusammenlegen/)
    await go(thread.id)
    await lena.message('Wer hat eins?').waitFor()
    await look('page of a thread')
    await lena.button('Thread-Benachrichtigungen').click()
    await look('levels of a thread')
    await go(thread.id)
    await lena.button('Thread-Optionen').click()
    await assertGerman(lena, 'the menu of a thread')
    await choose('Thread bearbeiten …')
    await dialog('Thread bearbeiten').waitFor()
    await look('change of a thread')
    await close('Thread bearbeiten')
  })

  test('a forum, its posts and its settings', async () => {
    const { id } = await host.client.rooms.create(space, { name: 'fragen', type: RoomType.Forum })
    const tags = [{ name: 'Hütten', color: null, is_moderated: false }]
    const { forum } = await host.client.rooms.update(space, id, { forum: { tags } })
    await go(id)
    await lena.page.getByRole('heading', { name: 'Noch keine Beiträge' }).waitFor()
    await look('empty forum')
    await host.client.api(ThreadRooms).create(id, {
      title: 'Wo parken wir?',
      content: 'Am See?',
      tags: forum?.tags.map((tag) => tag.id) ?? [],
    })
    await lena.page.getByText('Wo parken wir?').first().waitFor()
    await look('forum')
    await lena.button('Neuer Beitrag').click()
    await look('form of a post')
    await lena.button('Abbrechen').click()
    await lena.button('Einstellungen des Raums').click()
    await chooseSection(lena, 'fragen', 'Beiträge')
    await look('settings of a forum')
    await closeSettings(lena, 'fragen')
  })

  test('an announcement room and how others follow it', async () => {
    const { id } = await host.client.rooms.create(space, { name: 'neues', type: RoomType.Text })
    await host.client.rooms.update(space, id, { announces: true })
    await host.client.messages.create(id, { content: 'Die Hütte öffnet im Mai.' })
    await go(id)
    await lena.message('Die Hütte öffnet im Mai.').waitFor()
    await look('announcement room')
    await lena.button('Folgen').click()
    await dialog(/folgen/).waitFor()
    await look('follow')
    await close(/folgen/)
    await go(general)
    await lena.button('Einstellungen des Raums').click()
    const settings = await chooseSection(lena, 'allgemein', 'Webhooks')
    await settings.getByRole('button', { name: 'Folgen …' }).click()
    await look('follow by address')
    await close('Einem Raum auf einem anderen Server folgen')
    await closeSettings(lena, 'allgemein')
  })

  test('a room on the web', async () => {
    await lena.button('Einstellungen des Raums').click()
    const settings = await chooseSection(lena, 'allgemein', 'Im Web')
    await look('room off the web')
    await settings.getByRole('button', { name: 'Für das Web öffnen …' }).click()
    const question = lena.page.getByRole('alertdialog')
    await assertGerman(lena, 'the question')
    await question.getByRole('button', { name: 'Für das Web öffnen' }).click()
    await settings.getByRole('button', { name: 'Aus dem Web nehmen' }).waitFor()
    await look('room on the web')
    await closeSettings(lena, 'allgemein')
    await lena.page.getByText('Das können alle im Web lesen').waitFor()
    await look('line of a room on the web')
    assert.deepEqual(lena.complaints, [])
  })
})
