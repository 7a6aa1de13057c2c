import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { uploadFile } from '@foyer/sdk/uploads'
import type { Page } from 'playwright-core'
import { type FakeS3, startFakeS3 } from '../apps/server/test/object-storage/fake-s3.ts'
import { choose, isDrawn, send, shown, stored } from './attaching.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { picture } from './sample-files.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const SCRIPT = new File(['window.name = "ran"'], 'script.js', { type: 'text/javascript' })
const SUNRISE = picture('sunrise.png', { width: 200, height: 120, sky: [255, 170, 110] })

describe('scripts in the page', { skip: noBrowser }, () => {
  let stage: Stage
  let s3: FakeS3
  let mira: Settled
  let spaceId: string
  /** Signed address of an uploaded script. */
  let uploaded: string

  before(async () => {
    s3 = await startFakeS3()
    stage = await Stage.openOwn({ ALLOWED_PRIVATE_HOSTS: '127.0.0.1' })
    s3.allowedOrigin = stage.program.url
    mira = await settle(stage, 'mira')
    const { space, general } = await gather('Sunday hikers', [mira])
    spaceId = space.id
    await mira.client.buckets.createIncluded(space.id)
    const id = await uploadFile(mira.client, general.id, SCRIPT)
    const { attachments } = await mira.client.messages.create(general.id, {
      content: '',
      attachment_ids: [id],
    })
    uploaded = attachments[0]?.url ?? ''
    await mira.person.page.goto(`/spaces/${space.id}`)
    await mira.person.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    await stage?.close()
    await s3?.close()
  })

  test('WEB-11: another user’s file does not run as a script, by either way of download', async () => {
    const { page } = mira.person
    assert.match(uploaded, /^\/attachments\//)
    for (const address of [uploaded, `${uploaded}&stream=1`]) {
      assert.equal(await runScript(page, address), 'error')
      assert.equal(await page.evaluate(() => window.name), '')
    }
    assert.equal(await startWorker(page, uploaded), 'error')
  })

  test('WEB-11: only scripts of the build run, even if served as scripts', async () => {
    const { page } = mira.person
    const body = 'window.name = "ran"'
    for (const [path, outcome] of [
      ['/attachments/injected.js', 'error'],
      ['/storage/injected.js', 'error'],
      ['/injected.js', 'error'],
      ['/assets/injected.js', 'load'],
    ] as const) {
      await page.route(`**${path}`, (route) => route.fulfill({ contentType: 'text/javascript', body }))
      await page.evaluate(() => {
        window.name = ''
      })
      assert.equal(await runScript(page, path), outcome, path)
      assert.equal(await page.evaluate(() => window.name), outcome === 'load' ? 'ran' : '', path)
    }
    assert.equal(await startWorker(page, '/attachments/injected.js'), 'error')
    await page.unrouteAll()
  })

  test('FILE-18: a file cannot be registered as a service worker, and the client’s own can', async () => {
    const visitor = await stage.person('jonas', undefined, true)
    await visitor.page.goto('/favicon.svg')
    // This page has no Content-Security-Policy. The server must refuse.
    const register = (address: string) =>
      visitor.page.evaluate(
        (path) =>
          navigator.serviceWorker.register(path, { scope: path.replace(/\?.*/, '') }).then(
            () => 'registered',
            () => 'refused',
          ),
        address,
      )
    assert.equal(await register(uploaded), 'refused')
    assert.equal(await register(`${uploaded}&stream=1`), 'refused')
    assert.equal(await register('/worker.js'), 'registered')
    visitor.complaints = []
  })

  test('WEB-5: a file is uploaded from the page directly to a bucket, and shown from there', async () => {
    const { person, client } = mira
    const { endpoint, bucketName, region, accessKeyId, secretAccessKey } = s3.settings()
    const bucket = await client.buckets.create(spaceId, {
      name: 'Our bucket',
      endpoint,
      region,
      bucket_name: bucketName,
      access_key_id: accessKeyId,
      secret_access_key: secretAccessKey,
      use_path_style: true,
    })
    await client.buckets.activate(spaceId, bucket.id)
    const upload = person.page.waitForRequest((request) => request.method() === 'PUT')
    await choose(person, SUNRISE)
    assert.equal(new URL((await upload).url()).origin, new URL(endpoint).origin)
    await eventually(() => stored(person), 1)
    await send(person)
    await eventually(() => isDrawn(shown(person, 'sunrise.png')), true)
  })
})

function runScript(page: Page, address: string): Promise<string> {
  return page.evaluate((src) => {
    const script = document.createElement('script')
    const outcome = new Promise<string>((resolve) => {
      script.onload = () => resolve('load')
      script.onerror = () => resolve('error')
    })
    script.src = src
    document.head.append(script)
    return outcome
  }, address)
}

/** Returns `error` if a worker does not start. A worker that starts never answers, and the test times out. */
function startWorker(page: Page, address: string): Promise<string> {
  return page.evaluate((src) => {
    try {
      const worker = new Worker(src)
      return new Promise<string>((resolve) => {
        worker.onerror = () => resolve('error')
        worker.onmessage = () => resolve('message')
      })
    } catch {
      return 'error'
    }
  }, address)
}
