import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Announcements } from '@foyer/sdk/api/announcements'
import type { Locator } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { Console, lookClosely } from './console.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const TEXT = 'The server moves on Saturday. See https://example.org/move?day=6 for more. <b>Not bold</b>'

/** Mira runs the server, and Jonas uses it. Each test continues where the previous one ended. */
describe('announcements to everybody', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let jonas: Settled
  let mirasConsole: Console
  let room: string

  before(async () => {
    stage = await Stage.openOwn()
    mira = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    mirasConsole = new Console(mira.person)
    const { space, general } = await gather('Sunday hikers', [jonas])
    room = `/spaces/${space.id}/rooms/${general.id}`
    await jonas.person.page.goto(room)
    await jonas.person.page.getByRole('textbox', { name: /Message/ }).waitFor()
    await mira.person.page.goto('/operator/announcements')
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const isGone = (locator: Locator) => locator.waitFor({ state: 'detached' })
  const banner = ({ page }: Person) => page.locator('.announcement')
  const calls = () => mira.client.api(Announcements)

  /** Waits until the section shows it, and returns its form. */
  async function write(): Promise<Locator> {
    await mira.person.button('Write an announcement').click()
    return mira.person.page.getByRole('dialog', { name: 'Write an announcement' })
  }

  test('ANNOUNCE-9: an operator writes an announcement, and everybody sees it at once', async () => {
    await mirasConsole.dialog.getByText('There are no announcements.').waitFor()
    const form = await write()
    await form.getByRole('button', { name: 'Publish' }).click()
    await form.getByText('Write what you want to announce.').waitFor()
    await form.getByLabel('Text').fill(TEXT)
    await form.getByRole('radio', { name: 'Warning' }).check()
    await form.getByLabel('Ends').fill('2020-01-01T00:00')
    await form.getByRole('button', { name: 'Publish' }).click()
    await form.getByText('The end must be in the future, and after the start.').waitFor()
    await lookClosely(mira.person, 'announcement-form')
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)
    await form.getByLabel('Ends').fill(tomorrow)
    await form.getByRole('button', { name: 'Publish' }).click()
    await isGone(form)
    await mirasConsole.row('The server moves on Saturday.').waitFor()
    await mirasConsole.look('announcements')
    await banner(jonas.person).getByText('The server moves on Saturday.').waitFor()
    assert.equal(await banner(jonas.person).locator('b').count(), 0)
  })

  test('ANNOUNCE-8: its links are links, and it is readable in the dark and on a phone', async () => {
    const link = banner(jonas.person).getByRole('link', { name: 'https://example.org/move?day=6' })
    assert.equal(await link.getAttribute('href'), 'https://example.org/move?day=6')
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer nofollow')
    await lookClosely(jonas.person, 'announcement-banner', '.connection')
  })

  test('ANNOUNCE-8: closing it lasts across a reload, until its text changes', async () => {
    await jonas.person.button('Close this announcement').click()
    await isGone(banner(jonas.person))
    await jonas.person.page.reload()
    await jonas.person.page.getByRole('textbox', { name: /Message/ }).waitFor()
    const [first] = await calls().listAll()
    const id = first?.id ?? ''
    await calls().update(id, { ends_at: new Date(Date.now() + 7_200_000).toISOString() })
    await calls().create({ text: 'Another one', ends_at: new Date(Date.now() + 3_600_000).toISOString() })
    await banner(jonas.person).getByText('Another one').waitFor()
    assert.equal(await banner(jonas.person).count(), 1)
    const row = mirasConsole.row('The server moves on Saturday.')
    await row.getByRole('button', { name: 'Edit' }).click()
    const form = mira.person.page.getByRole('dialog', { name: 'Edit the announcement' })
    await form.getByLabel('Text').fill('The server moves on Sunday.')
    await form.getByRole('button', { name: 'Save' }).click()
    await isGone(form)
    await banner(jonas.person).getByText('The server moves on Sunday.').waitFor()
    assert.equal(await banner(jonas.person).count(), 2)
    await jonas.person.page.reload()
    await eventually(() => banner(jonas.person).count(), 2)
  })

  test('ANNOUNCE-8: it disappears at its end without a reload', async () => {
    const second = (await calls().listAll()).find(({ text }) => text === 'Another one')
    await calls().update(second?.id ?? '', { ends_at: new Date(Date.now() + 3000).toISOString() })
    await isGone(banner(jonas.person).filter({ hasText: 'Another one' }))
    await isGone(mirasConsole.row('Another one'))
    assert.equal(await banner(jonas.person).count(), 1)
  })

  test('ANNOUNCE-9: ending one is confirmed, and it is gone for everybody', async () => {
    await mirasConsole.row('The server moves on Sunday.').getByRole('button', { name: 'End now' }).click()
    const question = mira.person.page.getByRole('alertdialog', { name: 'End this announcement?' })
    await question.getByRole('button', { name: 'End now' }).click()
    await isGone(question)
    await isGone(banner(jonas.person))
    await mirasConsole.dialog.getByText('There are no announcements.').waitFor()
    await mirasConsole.open('Log')
    await mirasConsole.row('mira ended an announcement').first().waitFor()
    assert.deepEqual(jonas.person.complaints, [])
    assert.deepEqual(mira.person.complaints, [])
  })
})
