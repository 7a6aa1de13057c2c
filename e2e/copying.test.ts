import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused } from './keys.ts'
import type { Person } from './person.ts'
import { closeSettings, openSpaceSettings } from './settings.ts'
import { gather, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'
const CODE = 'const distance = 12.4 // km\npack("oranges")'

/** Pages without TLS have no clipboard API. The tests run in order: each continues where the previous one ended. */
describe('copying', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let roomPath: string

  before(async () => {
    stage = await Stage.open()
    const host = await settle(stage, 'mira')
    const { space, general } = await gather(SPACE, [host])
    await host.client.messages.create(general.id, { content: `Bring the map, <@${host.id}>` })
    await host.client.messages.create(general.id, { content: `They open at ten\n\`\`\`js\n${CODE}\n\`\`\`` })
    mira = host.person
    roomPath = `/spaces/${space.id}/rooms/${general.id}`
    await mira.page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await mira.page.goto(roomPath)
    await mira.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const told = (words: string) => mira.page.getByRole('status').getByText(words).waitFor()
  const refused = () => mira.page.getByRole('alert').filter({ hasText: 'Couldn’t copy.' })

  async function choose(action: string): Promise<void> {
    await mira.message('Bring the map').click({ button: 'right', position: { x: 300, y: 8 } })
    await mira.page.getByRole('menuitem', { name: action }).click()
  }

  /** Returns the text that was copied last. */
  async function pasted(): Promise<string> {
    const composer = mira.composer('general')
    await composer.fill('')
    await composer.press('Control+v')
    const text = await composer.inputValue()
    await composer.fill('')
    return text
  }

  test('copying a message copies its text or its link, and confirms it', async () => {
    await choose('Copy text')
    await told('Text copied.')
    await mira.picture('copied')
    assert.equal(await pasted(), 'Bring the map, @mira')
    await choose('Copy link')
    await told('Link copied.')
    assert.match(await pasted(), new RegExp(`^http.*${roomPath}/[^/]+$`))
    await mira.page.getByText('Link copied.').waitFor({ state: 'detached' })
  })

  test('copying code ignores the selection on the page', async () => {
    await mira.message('They open').getByText('They open at ten').selectText()
    const code = mira.message('They open').getByRole('button', { name: 'Copy code' })
    await code.click()
    await mira.button('Copied').waitFor()
    assert.equal(await pasted(), CODE)
  })

  test('copying in a dialog keeps the focus', async () => {
    await openSpaceSettings(mira, SPACE, 'Invites')
    const copyLink = mira.button(/^Copy link for /)
    await copyLink.press('Enter')
    await told('Link copied.')
    assert.equal(await isFocused(copyLink), true)
    await closeSettings(mira, SPACE)
    assert.match(await pasted(), /^http.*\/invite\/\w+$/)
  })

  test('a browser that refuses to copy shows a message', async () => {
    await mira.page.evaluate(() => Object.defineProperty(document, 'execCommand', { value: () => false }))
    await choose('Copy link')
    await eventually(() => refused().count(), 1)
    await mira.message('They open').getByRole('button', { name: 'Copy code' }).click()
    await eventually(() => refused().count(), 2)
    await mira.picture('not-copied')
    await mira.button(`${SPACE}, space menu`).click()
    await mira.page.getByRole('menuitem', { name: 'Invite people' }).click()
    const dialog = mira.page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await dialog.getByText('The text is selected').waitFor()
    await mira.picture('not-copied-invite')
    await mira.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await openSpaceSettings(mira, SPACE, 'Invites')
    await mira
      .button(/^Copy link for /)
      .first()
      .click()
    await dialog.getByText('Couldn’t copy.').waitFor()
    await mira.picture('not-copied-setting')
    assert.equal(await mira.page.getByText('Link copied.').count(), 0)
  })

  test('the console has no errors', () => {
    assert.deepEqual(mira.complaints, [])
  })
})
