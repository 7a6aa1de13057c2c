import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Room } from '@foyer/protocol/rooms'
import { requestAs } from './as-person.ts'
import {
  choose,
  drag,
  dropOnNewPart,
  emptyFile,
  holdUploads,
  isDrawn,
  send,
  shown,
  stored,
  tray,
  warnsOfLeaving,
  watchFrames,
} from './attaching.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { isFocused } from './keys.ts'
import { namelessParts } from './names.ts'
import type { Person } from './person.ts'
import { picture, sound, text, video } from './sample-files.ts'
import { meet } from './settled.ts'
import { Stage } from './stage.ts'

const MIB = 1024 * 1024
const pictures = [
  picture('ridge.png', { width: 1200, height: 800, sky: [70, 120, 200] }),
  picture('evening.png', { width: 800, height: 800, sky: [220, 120, 80] }),
  picture('tall.png', { width: 600, height: 900, sky: [90, 60, 140] }),
]

/** The tests run in order: each continues where the previous one ended. */
describe('files in messages', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foyer-files-'))
    stage = await Stage.openOwn()
    mira = await stage.person('mira')
    jonas = await stage.person('jonas')
    await meet(mira, jonas)
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    await stage?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('three chosen pictures are sent with a text, and the other user sees them at once', async () => {
    await choose(mira, pictures)
    await eventually(() => stored(mira), 3)
    await eventually(() => isFocused(mira.composer('general')), true)
    await mira.picture('files-composer')
    assert.deepEqual(await namelessParts(mira.page), [])
    await send(mira, 'From the weekend')
    for (const { name } of pictures) {
      for (const person of [mira, jonas]) await eventually(() => isDrawn(shown(person, name)), true)
    }
    assert.equal(await tray(mira).count(), 0)
  })

  test('a search for pictures finds them', async () => {
    await jonas.button('Search messages').click()
    const search = jonas.page.getByRole('combobox', { name: /^Search/ })
    // The search finds messages once they are indexed.
    const look = async () => {
      await search.fill('weekend')
      await search.press('Enter')
      return jonas.page.locator('.search-hit img').evaluateAll((images) => images.length)
    }
    await eventually(look, 3)
    for (const { name } of pictures)
      await eventually(() => isDrawn(jonas.page.locator('.search-hit').getByRole('img', { name })), true)
    await jonas.picture('search-pictures')
    await jonas.button('Close search').click()
  })

  test('a video, an audio file and a text file can be dropped anywhere on the room, and sent without a text', async () => {
    const files = [await video(mira.page, 'train.webm'), sound('bell.wav'), text('notes.txt', 'Bring tea.')]
    const paths = files.map(({ name }) => join(folder, name))
    for (const [index, { buffer }] of files.entries()) await writeFile(paths[index] ?? '', buffer)
    await drag(mira, paths, ['dragEnter', 'dragOver'])
    await mira.page.getByText('Drop to attach').waitFor()
    await mira.picture('files-drop')
    await drag(mira, paths, ['drop'])
    await mira.page.getByText('Drop to attach').waitFor({ state: 'detached' })
    await eventually(() => stored(mira), 3)
    await send(mira)
    const film = jonas.page.getByLabel('train.webm', { exact: true })
    const width = () => film.evaluate((element) => element instanceof HTMLVideoElement && element.videoWidth)
    await eventually(width, 320)
    const tone = jonas.page.getByLabel('bell.wav', { exact: true })
    const seconds = () =>
      tone.evaluate((element) => element instanceof HTMLAudioElement && Math.round(element.duration))
    await eventually(seconds, 1)
    const download = jonas.page.waitForEvent('download')
    await jonas.page.getByRole('link', { name: 'Download notes.txt' }).click()
    const saved = await download
    assert.equal(saved.suggestedFilename(), 'notes.txt')
    assert.equal(await readFile(await saved.path(), 'utf8'), 'Bring tea.')
  })

  test('the browser does not open files that are dropped elsewhere', async () => {
    await mira.room('lounge').click()
    await mira.page.getByRole('heading', { level: 1, name: 'lounge' }).waitFor()
    await drag(mira, [join(folder, 'notes.txt')], ['dragEnter', 'dragOver', 'drop'])
    await dropOnNewPart(mira, [join(folder, 'notes.txt')])
    await mira.room('general').click()
    await mira.composer('general').waitFor()
    assert.equal(await tray(mira).count(), 0)
    assert.equal(mira.context.pages().length, 1)
  })

  test('a picture is pasted from the clipboard, and pasted text stays text', async () => {
    await mira.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await mira.page.evaluate(async () => {
      const canvas = new OffscreenCanvas(300, 200)
      canvas.getContext('2d')
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': await canvas.convertToBlob() })])
    })
    await mira.composer('general').focus()
    await mira.page.keyboard.press('Control+V')
    await eventually(() => stored(mira), 1)
    // Office programs copy text together with its formatting and a picture of it.
    await mira.page.evaluate(async () => {
      const canvas = new OffscreenCanvas(30, 20)
      canvas.getContext('2d')
      const blob = await canvas.convertToBlob()
      const types = { 'text/plain': 'only words', 'text/html': '<b>only words</b>', 'image/png': blob }
      await navigator.clipboard.write([new ClipboardItem(types)])
    })
    await mira.page.keyboard.press('Control+V')
    await eventually(() => mira.composer('general').inputValue(), 'only words')
    assert.equal(await stored(mira), 1)
    await mira.button('Remove image.png').click()
    await eventually(() => tray(mira).count(), 0)
    await eventually(() => isFocused(mira.composer('general')), true)
    await mira.composer('general').fill('')
  })

  test('a file cancelled during its upload is deleted from the storage, too', async () => {
    const release = await holdUploads(mira)
    const begun = mira.page.waitForRequest((request) => request.method() === 'PUT')
    await choose(mira, text('secret.txt', 'x'.repeat(1000)))
    await begun
    await mira.page.getByRole('progressbar', { name: 'Uploading secret.txt' }).waitFor()
    const givenUp = mira.page.waitForResponse((response) => response.request().method() === 'DELETE')
    await mira.button('Cancel uploading secret.txt').click()
    await eventually(() => tray(mira).count(), 0)
    assert.equal((await givenUp).status(), 204)
    await release()
  })

  test('a failed upload is retried automatically, and a refused one on demand', async () => {
    await mira.page.route('**/storage/**', (route) => route.abort())
    await choose(mira, text('lost.txt', 'x'))
    await tray(mira).getByText('Upload interrupted. We’ll keep trying.').waitFor()
    await mira.page.unroute('**/storage/**')
    await eventually(() => stored(mira), 1)
    await mira.page.route('**/api/rooms/*/attachments', (route) =>
      route.fulfill({ status: 503, json: { error: 'the file storage cannot be reached, try again later' } }),
    )
    await choose(mira, text('again.txt', 'x'))
    await tray(mira).getByText('The file storage cannot be reached, try again later.').waitFor()
    await mira.picture('files-failed')
    await mira.page.unroute('**/api/rooms/*/attachments')
    await mira.button('Retry uploading again.txt').click()
    await eventually(() => stored(mira), 2)
    for (const name of ['lost.txt', 'again.txt']) await mira.button(`Remove ${name}`).click()
    mira.forgiveOutage()
    mira.complaints = mira.complaints.filter((complaint) => !/status of 503/.test(complaint))
  })

  test('too many and too large files are refused with a message, and the others stay', async () => {
    const path = await emptyFile(folder, 'huge.bin', 1025 * MIB)
    const files = Array.from({ length: 11 }, (_, index) => text(`${index}.txt`, 'x'))
    await choose(mira, files)
    await mira.page.getByText('A message can have up to 10 files. 1 file wasn’t added.').waitFor()
    await eventually(() => stored(mira), 10)
    await mira.button('Remove 0.txt').click()
    await eventually(() => isFocused(mira.button('Remove 1.txt')), true)
    await choose(mira, path)
    await tray(mira).getByText("The file is over the storage's upload limit.").waitFor()
    await mira.picture('files-refused')
    await mira.composer('general').press('Enter')
    await mira.page.getByText('A file couldn’t be uploaded. Retry or remove it.').waitFor()
    const remove = mira.page.getByRole('button', { name: /^Remove / })
    for (let left = await remove.count(); left > 0; left -= 1) {
      await remove.first().click()
      await eventually(() => remove.count(), left - 1)
    }
    mira.complaints = mira.complaints.filter((complaint) => !/status of 413/.test(complaint))
  })

  test('a message waits for its files in its room, and nothing else waits for it', async () => {
    const spaceId = new URL(mira.page.url()).pathname.split('/')[2]
    const created = await requestAs(mira, `/api/spaces/${spaceId}/rooms`, {
      method: 'POST',
      body: { name: 'plans', type: 1 },
    })
    const { name }: Room = JSON.parse(await created.text())
    const release = await holdUploads(mira)
    await choose(mira, picture('map.png', { width: 400, height: 300, sky: [120, 160, 120] }))
    await mira.say('The map')
    await mira.page.getByText('Sends when the upload finishes').waitFor()
    await mira.picture('files-sending')
    await eventually(() => warnsOfLeaving(mira), true)
    await mira.say('It takes a while')
    await jonas.message('It takes a while').waitFor()
    await choose(mira, text('later.txt', 'x'))
    await mira.room(name ?? '').click()
    await mira.composer('plans').waitFor()
    assert.equal(await tray(mira).count(), 0, 'files belong to the message of one room')
    await release()
    await eventually(() => isDrawn(shown(jonas, 'map.png')), true)
    await mira.room('general').click()
    await eventually(() => stored(mira), 1)
    assert.equal(await warnsOfLeaving(mira), true, 'the files of a draft do not survive the page')
    await mira.button('Remove later.txt').click()
    await eventually(() => warnsOfLeaving(mira), false)
  })

  test('200 MB are uploaded with progress while the page stays responsive and messages come and go', async () => {
    const path = await emptyFile(folder, 'film-archive.tar', 200 * MIB)
    const progress = mira.page.getByRole('progressbar', { name: 'Uploading film-archive.tar' })
    const stopWatching = await watchFrames(mira)
    const began = performance.now()
    await choose(mira, path)
    await mira.composer('general').fill('The whole archive')
    await mira.composer('general').press('Enter')
    const told = new Set<string>()
    while ((await mira.outgoing()) > 0) {
      const value = await progress.getAttribute('aria-valuenow', { timeout: 100 }).catch(() => null)
      if (value === null || told.has(value)) continue
      told.add(value)
      await jonas.say(`Meanwhile ${value} %`)
    }
    const [longest, lasted] = [await stopWatching(), performance.now() - began]
    await jonas.message('film-archive.tar').getByText('200 MB').waitFor()
    assert.ok(told.size >= 3, `progress: ${[...told].join(', ')}`)
    // If the page waited for the upload, it would draw nothing until the end.
    assert.ok(longest < lasted / 2, `nothing was drawn for ${longest} of ${lasted} ms`)
  })

  test('the layout does not shift or flicker when the message arrives', async () => {
    await mira.page.route('**/messages', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400))
      await route.continue()
    })
    await choose(mira, pictures)
    await eventually(() => stored(mira), 3)
    await mira.composer('general').press('Enter')
    const gallery = mira.page.locator('.gallery').last()
    await mira.page.locator('[data-status] .gallery').waitFor()
    const [box, gaps] = [await gallery.boundingBox(), watchGaps()]
    await eventually(() => mira.outgoing(), 0)
    assert.deepEqual(await gallery.boundingBox(), box)
    assert.equal(await gaps, 0, 'in every picture of the page there are the pictures of the message')
    await mira.page.unroute('**/messages')
  })

  /**
   * Counts the frames in which the last gallery lacks a picture, while the server's message replaces the outgoing one.
   */
  function watchGaps(): Promise<number> {
    return mira.page.evaluate(async () => {
      let gaps = 0
      for (let frame = 0; frame < 60; frame += 1) {
        await new Promise(requestAnimationFrame)
        const tiles =
          [...document.querySelectorAll('.gallery')].at(-1)?.querySelectorAll('.gallery-tile') ?? []
        const full = [...tiles].filter((tile) =>
          [...tile.querySelectorAll('img')].some((image) => image.complete && image.naturalWidth > 0),
        )
        if (full.length !== 3) gaps += 1
      }
      return gaps
    })
  }

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
