import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { StorageBucket } from '@foyer/protocol/buckets'
import { requestAs } from './as-person.ts'
import { choose, isDrawn, send, shown, stored } from './attaching.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { picture, text, video } from './sample-files.ts'
import { meet } from './settled.ts'
import { Stage } from './stage.ts'

const RIDGE = picture('ridge.png', { width: 800, height: 600, sky: [70, 120, 200] })
const EVENING = picture('evening.png', { width: 600, height: 600, sky: [220, 120, 80] })

/** The tests run in order: each continues where the previous one ended. */
describe('files that do not load', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let jonas: Person
  let bucketId: string

  before(async () => {
    stage = await Stage.open()
    mira = await stage.person('mira')
    jonas = await stage.person('jonas')
    await meet(mira, jonas)
    const added = await requestAs(mira, `${spacePath()}/buckets/included`, { method: 'POST', body: {} })
    const bucket: StorageBucket = JSON.parse(await added.text())
    bucketId = bucket.id
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const spacePath = () => `/api/spaces/${new URL(mira.page.url()).pathname.split('/')[2]}`

  /** Refuses the person's next downloads, as for expired signatures. The returned function counts the refusals. */
  async function refuseDownloads(person: Person, times: number): Promise<() => number> {
    let refused = 0
    await person.page.route('**/attachments/*?sig=*', (route) => {
      if (refused >= times) return route.continue()
      refused += 1
      return route.fulfill({ status: 403, json: { error: 'the signature is wrong' } })
    })
    return () => refused
  }

  async function allowDownloads(person: Person): Promise<void> {
    await person.page.unroute('**/attachments/*?sig=*')
    // Browsers log every refusal.
    person.complaints = person.complaints.filter((complaint) => !/status of 403/.test(complaint))
  }

  test('an expired URL is renewed without being noticed', async () => {
    const refused = await refuseDownloads(jonas, 1)
    const renewed = jonas.page.waitForResponse((response) => response.url().endsWith('/resign'))
    await choose(mira, RIDGE)
    await eventually(() => stored(mira), 1)
    await send(mira)
    assert.equal((await renewed).status(), 200)
    await eventually(() => isDrawn(shown(jonas, 'ridge.png')), true)
    assert.equal(refused(), 1)
    await allowDownloads(jonas)
  })

  test('a video whose URL expired continues with a new one', async () => {
    await refuseDownloads(jonas, 1)
    await choose(mira, await video(mira.page, 'train.webm'))
    await eventually(() => stored(mira), 1)
    await send(mira)
    const film = jonas.page.getByLabel('train.webm', { exact: true })
    const width = () => film.evaluate((element) => element instanceof HTMLVideoElement && element.videoWidth)
    await eventually(width, 320)
    await allowDownloads(jonas)
  })

  test('a picture that cannot be loaded says so, and is retried on demand', async () => {
    await refuseDownloads(jonas, 2)
    await choose(mira, EVENING)
    await eventually(() => stored(mira), 1)
    await send(mira)
    await jonas.page.getByText('Couldn’t load evening.png.').waitFor()
    await jonas.picture('files-broken')
    await jonas.button('Try again').click()
    await eventually(() => isDrawn(shown(jonas, 'evening.png')), true)
    await allowDownloads(jonas)
  })

  test('a file that is not a video is a card to download, whatever its name', async () => {
    await choose(mira, { ...text('fake.mp4', 'no film at all'), mimeType: 'video/mp4' })
    await eventually(() => stored(mira), 1)
    await send(mira)
    await jonas.page.getByRole('link', { name: 'Download fake.mp4' }).waitFor()
    assert.equal(await jonas.page.getByLabel('fake.mp4', { exact: true }).count(), 0)
  })

  test('files of a deleted storage say so, for everyone at once', async () => {
    const path = `${spacePath()}/buckets/${bucketId}`
    assert.equal((await requestAs(mira, path, { method: 'DELETE' })).status, 204)
    for (const person of [mira, jonas])
      await eventually(() => person.page.getByText('This file was deleted.').count(), 4)
    assert.equal(await shown(jonas, 'ridge.png').count(), 0)
    assert.equal(await jonas.page.getByRole('link', { name: /^Download / }).count(), 0)
    await jonas.picture('files-deleted')
  })

  test('the consoles have no errors', () => {
    assert.deepEqual([...mira.complaints, ...jonas.complaints], [])
  })
})
