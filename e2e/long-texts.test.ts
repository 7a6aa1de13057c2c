import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, afterEach, before, describe, test } from 'node:test'
import { MessageFlag } from '@foyer/protocol/messages'
import { choose, send, stored, tray } from './attaching.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused } from './keys.ts'
import type { Person } from './person.ts'
import { text } from './sample-files.ts'
import { meet } from './settled.ts'
import { Stage } from './stage.ts'

describe('texts that are too long for a message', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person

  before(async () => {
    stage = await Stage.open()
    mira = await stage.person('mira')
    jonas = await stage.person('jonas')
    await meet(mira, jonas)
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  test('are recognized, and sent as a file', async () => {
    const long = `Minutes of the meeting. ${'Tea was had. '.repeat(400)}`
    await mira.composer('general').fill(long)
    const note = mira.page.getByText('That’s over the 4,000-character limit.')
    await note.waitFor()
    await mira.picture('files-too-long')
    assert.equal(await mira.button('Send message').isDisabled(), true)
    await mira.button('Send as a file instead').click()
    await note.waitFor({ state: 'detached' })
    await eventually(() => isFocused(mira.composer('general')), true)
    await eventually(() => stored(mira), 1)
    await send(mira, 'All of it')
    const download = jonas.page.waitForEvent('download')
    await jonas.page.getByRole('link', { name: 'Download message.txt' }).click()
    assert.equal(await readFile(await (await download).path(), 'utf8'), long)
  })

  test('are sent as a file silently after @silent', async () => {
    await mira.composer('general').fill(`@silent ${'x'.repeat(4001)}`)
    await mira.button('Send as a file instead').click()
    await eventually(() => mira.composer('general').inputValue(), '@silent ')
    await mira.page.getByRole('img', { name: 'Sent silently' }).waitFor()
    const sent = mira.page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/messages'),
    )
    await mira.composer('general').press('Enter')
    const { content, flags } = JSON.parse((await sent).postData() ?? '')
    assert.deepEqual([content, flags], ['', MessageFlag.SuppressNotifications])
    await eventually(() => mira.outgoing(), 0)
  })

  test('stay in the composer while the storage does not accept them', async () => {
    await mira.page.route('**/api/rooms/*/attachments', (route) =>
      route.fulfill({ status: 413, json: { error: 'the file is too large', code: 'file_too_large' } }),
    )
    await mira.composer('general').fill('x'.repeat(4001))
    await mira.button('Send as a file instead').click()
    await mira.page.locator('.upload-tile[data-state="failed"]').waitFor()
    assert.equal(await mira.composer('general').inputValue(), 'x'.repeat(4001))
    await mira.page.unroute('**/api/rooms/*/attachments')
    await mira.button('Remove message.txt').click()
    await eventually(() => tray(mira).count(), 0)
    mira.complaints = mira.complaints.filter((complaint) => !/status of 413/.test(complaint))
  })

  test('stay in the composer when there are too many files already', async () => {
    await choose(
      mira,
      Array.from({ length: 10 }, (_, index) => text(`${index}.txt`, 'x')),
    )
    await eventually(() => stored(mira), 10)
    await mira.composer('general').fill('x'.repeat(4001))
    await mira.button('Send as a file instead').click()
    await mira.page.getByText('A message can have up to 10 files. 1 file wasn’t added.').waitFor()
    assert.equal(await mira.composer('general').inputValue(), 'x'.repeat(4001))
    await mira.composer('general').fill('')
    const remove = mira.page.getByRole('button', { name: /^Remove / })
    for (let left = await remove.count(); left > 0; left -= 1) {
      await remove.first().click()
      await eventually(() => remove.count(), left - 1)
    }
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
