import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { choose, holdMessages, holdUploads, isDrawn, shown, stored, warnsOfLeaving } from './attaching.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused } from './keys.ts'
import { Line } from './line.ts'
import type { Person } from './person.ts'
import { picture } from './sample-files.ts'
import { meet } from './settled.ts'
import { Stage } from './stage.ts'

describe('an interrupted connection', { skip: noBrowser }, () => {
  let stage: Stage
  let line: Line
  let mira: Person
  let jonas: Person
  /** All messages so far, in the server's order. */
  const said: string[] = []

  before(async () => {
    stage = await Stage.openOwn()
    line = await Line.open(stage.program.url)
    mira = await stage.person('mira')
    jonas = await stage.person('jonas', line.url)
    await meet(mira, jonas)
    // Without a service worker, Chromium keeps a failed import until a reload: the list of files loads before the first cut.
    await eventually(() => jonas.page.evaluate(hasUploadList), true)
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    line?.close()
    await stage?.close()
  })

  async function bothSee(expected: readonly string[]): Promise<void> {
    // A message that was sent twice appears twice to its author only when nothing is outgoing.
    for (const person of [mira, jonas]) await eventually(() => person.outgoing(), 0)
    for (const person of [mira, jonas]) await eventually(() => person.history(), [...expected])
  }

  /** Reloads in spite of the browser's warning that a file will be lost. */
  async function reloadAnyway(): Promise<void> {
    mira.page.once('dialog', (dialog) => dialog.accept())
    await mira.page.reload()
  }

  test('messages written by both while one is offline arrive once, in the same order', async () => {
    await mira.say('before')
    await jonas.message('before').waitFor()
    line.cut()
    for (const text of ['offline 1', 'offline 2', 'offline 3']) await jonas.say(text)
    for (const text of ['online 1', 'online 2', 'online 3']) await mira.say(text)
    await eventually(() => mira.outgoing(), 0)
    await jonas.button('Try now').waitFor()
    assert.equal(await jonas.outgoing(), 3, 'what was written meanwhile is shown as not yet sent')
    await jonas.picture('cut-off')
    line.mend()
    // The client may reconnect by itself before the click.
    const tryNow = jonas.button('Try now')
    await Promise.race([tryNow.click({ timeout: 20_000 }), tryNow.waitFor({ state: 'detached' })])
    said.push('before', 'online 1', 'online 2', 'online 3', 'offline 1', 'offline 2', 'offline 3')
    await bothSee(said)
  })

  test('a message whose answer was lost is not duplicated', async () => {
    line.deafen()
    await jonas.say('answer lost')
    await mira.message('answer lost').waitFor()
    line.cut()
    line.mend()
    said.push('answer lost')
    await bothSee(said)
  })

  test('a message refused for a while is sent automatically, even though the gateway stayed connected', async () => {
    await jonas.page.route('**/messages', (route) => route.fulfill({ status: 502 }))
    await jonas.say('refused 1')
    await jonas.page.locator('[data-status="waiting"]').waitFor()
    await jonas.say('refused 2')
    await eventually(() => jonas.outgoing(), 2)
    assert.equal(await jonas.button('Try now').count(), 0)
    await jonas.page.unroute('**/messages')
    said.push('refused 1', 'refused 2')
    await bothSee(said)
    jonas.complaints = jonas.complaints.filter((text) => !/status of 502/.test(text))
  })

  test('a message with a file survives a reload, and is sent once with it', async () => {
    const [release, answer] = [await holdUploads(mira), await holdMessages(mira)]
    await choose(mira, picture('summit.png', { width: 400, height: 300, sky: [180, 200, 230] }))
    await mira.say('From the summit')
    await eventually(() => warnsOfLeaving(mira), true)
    await release()
    await eventually(() => warnsOfLeaving(mira), false)
    await mira.page.reload()
    await mira.message('From the summit').getByText('summit.png').waitFor()
    await mira.picture('files-reloaded')
    assert.equal(await warnsOfLeaving(mira), false)
    await answer()
    said.push('From the summit')
    await bothSee(said)
    for (const person of [mira, jonas]) await eventually(() => isDrawn(shown(person, 'summit.png')), true)
    assert.equal(await warnsOfLeaving(mira), false)
  })

  test('a message with a file whose answer was lost is not duplicated by a reload', async () => {
    await choose(jonas, picture('ridge.png', { width: 300, height: 200, sky: [70, 120, 200] }))
    await eventually(() => stored(jonas), 1)
    line.deafen()
    await jonas.say('file lost')
    await mira.message('file lost').waitFor()
    line.cut()
    line.mend()
    await jonas.page.reload()
    said.push('file lost')
    await bothSee(said)
    for (const person of [mira, jonas]) await eventually(() => shown(person, 'ridge.png').count(), 1)
  })

  test('a message whose file was swept before it was sent can be edited again', async () => {
    await mira.page.route('**/messages', (route) =>
      route.fulfill({ status: 404, headers: { 'x-error-code': 'unknown_attachment' }, json: {} }),
    )
    await choose(mira, picture('lake.png', { width: 300, height: 200, sky: [70, 120, 200] }))
    await eventually(() => stored(mira), 1)
    await mira.say('From the lake')
    await mira.button('Retry').waitFor()
    // After a reload, the page no longer has the file either.
    await mira.page.reload()
    // A click could miss: the list moves while its pictures load.
    await mira.button('Edit').press('Enter')
    await eventually(() => mira.composer('general').inputValue(), 'From the lake')
    assert.equal(await isFocused(mira.composer('general')), true)
    await mira.page.unroute('**/messages')
    await mira.page.keyboard.press('Enter')
    said.push('From the lake')
    await bothSee(said)
    await mira.takeRefusals(404)
  })

  test('WEB-18: a message whose file was uploading during a reload is still there, and is sent once the file is added again', async () => {
    const release = await holdUploads(mira)
    await choose(mira, picture('hut.png', { width: 300, height: 200, sky: [70, 120, 200] }))
    await mira.say('From the hut')
    await mira.message('From the hut').getByText('Sends when the upload finishes').waitFor()
    const other = await mira.context.newPage()
    await other.goto(mira.page.url())
    const waiting = async () => (await navigator.locks.query()).pending?.map(({ name = '' }) => name) ?? []
    const isPending = async () =>
      (await other.evaluate(waiting)).some((name) => name.startsWith('foyer.unsent:'))
    await eventually(isPending, true)
    assert.equal(await other.getByText('From the hut').count(), 0)
    await other.close()
    await reloadAnyway()
    const message = mira.message('From the hut')
    await message.getByText('Not sent. The file didn’t finish uploading before the page closed.').waitFor()
    await mira.picture('file-lost-at-reload')
    await release()
    const chooser = mira.page.waitForEvent('filechooser')
    await message.getByRole('button', { name: 'Add the file again' }).click()
    await (await chooser).setFiles(picture('hut.png', { width: 300, height: 200, sky: [70, 120, 200] }))
    said.push('From the hut')
    await bothSee(said)
    for (const person of [mira, jonas]) await eventually(() => isDrawn(shown(person, 'hut.png')), true)
  })

  test('WEB-18: a message whose file was uploading during a reload can be edited without it', async () => {
    const release = await holdUploads(mira)
    await choose(mira, picture('peak.png', { width: 300, height: 200, sky: [70, 120, 200] }))
    await mira.say('From the peak')
    await mira.message('From the peak').getByText('Sends when the upload finishes').waitFor()
    await reloadAnyway()
    await release()
    await mira.message('From the peak').getByRole('button', { name: 'Edit' }).click()
    await eventually(() => mira.composer('general').inputValue(), 'From the peak')
    await mira.page.keyboard.press('Enter')
    said.push('From the peak')
    await bothSee(said)
  })

  test('both users have the same history after the server was killed while they wrote', async () => {
    const burst = (name: string) => [1, 2, 3, 4, 5, 6].map((number) => `${name} ${number}`)
    const [hers, his] = [burst('mira'), burst('jonas')]
    const write = async (person: Person, texts: string[]) => {
      for (const text of texts) await person.say(text)
    }
    const writing = Promise.all([write(mira, hers), write(jonas, his)])
    await mira.message('jonas 2').waitFor()
    await stage.program.kill()
    await writing
    await stage.restart()
    await eventually(async () => (await mira.history()).length, said.length + 12)
    // Until it is confirmed, a message may be shown below messages that the server stored later.
    for (const person of [mira, jonas]) await eventually(() => person.outgoing(), 0)
    const history = await mira.history()
    await bothSee(history)
    const news = history.slice(said.length)
    assert.deepEqual(history.slice(0, said.length), said)
    assert.deepEqual(
      news.filter((text) => text.startsWith('mira')),
      hers,
    )
    assert.deepEqual(
      news.filter((text) => text.startsWith('jonas')),
      his,
    )
    await Promise.all([mira.page.reload(), jonas.page.reload()])
    await bothSee(history)
  })

  test('the consoles have no errors except those of the outages', () => {
    for (const person of [mira, jonas]) {
      person.forgiveOutage()
      assert.deepEqual(person.complaints, [])
    }
  })
})

function hasUploadList(): boolean {
  return performance.getEntriesByType('resource').some(({ name }) => /upload-list-[^/]+\.js$/.test(name))
}
