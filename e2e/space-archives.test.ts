import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { namelessParts } from './names.ts'
import { axeFindings } from './screens/looks.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SPACE = 'Sunday hikers'

/** Lena takes her space along. The tests run in order: each continues where the previous one ended. */
describe('a space that moves', { skip: noBrowser }, () => {
  let stage: Stage
  let lena: Settled
  let zip: Buffer

  before(async () => {
    stage = await Stage.open()
    lena = await settle(stage, 'lena')
    const jonas = await settle(stage, 'jonas')
    const { general } = await gather(SPACE, [lena, jonas])
    await lena.client.messages.create(general.id, { content: 'Who brings the map?' })
    await jonas.client.messages.create(general.id, { content: 'I do.' })
    await lena.person.page.goto(`/spaces/${general.space_id}`)
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  test('SPACE-EXPORT-6: its owner exports it in the settings, with the password', async () => {
    const { person } = lena
    const { page } = person
    await person.button(`${SPACE}, space menu`).click()
    await page.getByRole('menuitem', { name: 'Space settings', exact: true }).click()
    await person.button('Export the space').click()
    const asking = page.getByRole('dialog', { name: 'Export the space' })
    await asking.getByLabel('Password').fill(person.password)
    assert.deepEqual([await namelessParts(page), await axeFindings(page, '[role=dialog]')], [[], []])
    await asking.getByRole('button', { name: 'Export', exact: true }).click()
    await asking.waitFor({ state: 'detached' })
    await page.getByText(/^Ready \(/).waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), person.button('Download').click()])
    assert.match(download.suggestedFilename(), /^foyer-space-\d{4}-\d\d-\d\d\.zip$/)
    zip = await readFile(await download.path())
    await page.keyboard.press('Escape')
  })

  test('SPACE-EXPORT-6: what is no archive is refused, and says why', async () => {
    const { person } = lena
    const { page } = person
    await person.button('Create a space').first().click()
    await person.button('Import a space').click()
    await choose(Buffer.from('hello'))
    await page.getByText(/^This isn’t a complete space archive\./).waitFor()
    assert.deepEqual([await namelessParts(page), await axeFindings(page, '[role=dialog]')], [[], []])
  })

  test('SPACE-EXPORT-6: what became of an import is still there after a reload', async () => {
    const { person } = lena
    const { page } = person
    await page.reload()
    await person.button('Create a space').first().click()
    await person.button('Import a space').click()
    await page.getByText(/^This isn’t a complete space archive\./).waitFor()
  })

  test('SPACE-EXPORT-6: the archive becomes a space with the same rooms and messages', async () => {
    const { person } = lena
    const { page } = person
    await choose(zip)
    await page.getByText('Your space is ready. Rooms: 4, messages: 2, files: 0.').waitFor()
    assert.deepEqual([await namelessParts(page), await axeFindings(page, '[role=dialog]')], [[], []])
    await person.picture('imported-space')
    await person.button('Open the space').click()
    await page.getByText('Who brings the map?').waitFor()
    await page.getByText('I do.').waitFor()
    assert.equal((await lena.client.users.listSpaces()).length, 2)
    assert.deepEqual(person.complaints, [])
  })

  async function choose(bytes: Buffer): Promise<void> {
    const file = { name: 'space.zip', mimeType: 'application/zip', buffer: bytes }
    await lena.person.page.getByRole('dialog').locator('input[type=file]').setInputFiles(file)
  }
})
