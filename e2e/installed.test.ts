import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { webClientRoutes } from '../apps/server/src/web/web-client/routes.ts'
import { startKernel, type TestKernel } from '../apps/server/test/kernel.ts'
import { choose, isDrawn, shown, stored } from './attaching.ts'
import { launchBrowser } from './browser.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { picture } from './sample-files.ts'
import { letTakeOver, workerReady } from './service-worker.ts'
import { gather, settle, settlePerson } from './settled.ts'
import { Stage } from './stage.ts'

/** Settings of a server that only serves the web client. */
const PAGE = { publicUrl: undefined, allowedPrivateHosts: [], voice: { livekit: undefined } }

describe('an installed app', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person

  before(async () => {
    stage = await Stage.openOwn()
    mira = await stage.person('mira', stage.program.url, true)
    const host = await settlePerson(mira)
    const { space } = await gather('Sunday hikers', [host, await settle(stage, 'jonas')])
    await mira.page.goto(`/spaces/${space.id}`)
    await mira.composer('general').waitFor()
    await workerReady(mira)
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  test('the browser finds everything it requires of an app', async () => {
    const devtools = await mira.context.newCDPSession(mira.page)
    const { errors, data = '' } = await devtools.send('Page.getAppManifest')
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
    assert.deepEqual({ errors, installabilityErrors }, { errors: [], installabilityErrors: [] })
    assert.match(data, /"display": "standalone"/)
  })

  test('the account menu installs the app where the browser allows it', async () => {
    await mira.page.evaluate(() => {
      const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
        prompt: async () => document.body.setAttribute('data-installing', ''),
      })
      window.dispatchEvent(offer)
    })
    await mira.button(/^Account: /).click()
    await mira.button('Install Foyer').click()
    await eventually(() => mira.page.locator('body[data-installing]').count(), 1)
    await mira.button('Install Foyer').waitFor({ state: 'detached' })
    await mira.page.keyboard.press('Escape')
  })

  test('the app opens without a network with its unsent messages, and sends them once', async () => {
    await mira.say('said before')
    await eventually(() => mira.outgoing(), 0)
    await mira.context.setOffline(true)
    await mira.say('written under way')
    await eventually(() => mira.outgoing(), 1)
    await mira.page.reload()
    await mira.message('written under way').waitFor()
    await mira.button('Try now').waitFor()
    await mira.picture('offline')
    await mira.context.setOffline(false)
    await eventually(() => mira.history(), ['said before', 'written under way'])
    await eventually(() => mira.outgoing(), 0)
    await mira.page.reload()
    await eventually(() => mira.history(), ['said before', 'written under way'])
  })

  test('an uploaded file is sent with the message after the app is back online', async () => {
    await choose(mira, picture('ridge.png', { width: 300, height: 200, sky: [70, 120, 200] }))
    await eventually(() => stored(mira), 1)
    await mira.context.setOffline(true)
    await mira.say('seen under way')
    await mira.message('seen under way').getByText('Not sent yet.').waitFor()
    await mira.page.reload()
    await mira.message('seen under way').getByText('ridge.png').waitFor()
    await mira.picture('offline-file')
    await mira.context.setOffline(false)
    await eventually(() => mira.outgoing(), 0)
    await eventually(() => isDrawn(shown(mira, 'ridge.png')), true)
    await mira.page.reload()
    await eventually(() => mira.history(), ['said before', 'written under way', 'seen under way'])
    await eventually(() => isDrawn(shown(mira, 'ridge.png')), true)
  })

  test('no message is in a cache, and nothing of the user stays after signing out', async () => {
    const kept = () =>
      mira.page.evaluate(async () => {
        const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)))
        const requests = await Promise.all(caches.map((cache) => cache.keys()))
        return requests.flat().map(({ url }) => new URL(url).pathname)
      })
    const paths = await kept()
    assert.ok(paths.includes('/') && paths.length > 20)
    assert.deepEqual(
      paths.filter((path) => !/^\/($|assets\/|[\w-]+\.(png|svg)$|words$)/.test(path)),
      [],
    )
    await mira.signOut()
    await mira.page.getByRole('heading', { name: 'Welcome back' }).waitFor()
    const own = await mira.page.evaluate(() =>
      // The client replaces `localStorage` by an object that never fails. Its keys are not properties of it.
      Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '').filter((key) =>
        /places|unsent|drafts/.test(key),
      ),
    )
    assert.deepEqual(own, [])
  })

  test('the console has no errors except those of the outage', () => {
    mira.forgiveOutage()
    mira.forgiveWorker()
    assert.deepEqual(mira.complaints, [])
  })
})

describe('a new version of the app', { skip: noBrowser }, () => {
  let folder: string
  let kernel: TestKernel
  let browser: Browser
  let page: Page

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foyer-builds-'))
    await cp(fileURLToPath(new URL('../apps/web/dist', import.meta.url)), folder, { recursive: true })
    await dropCompressed(folder)
    kernel = await startKernel((app) =>
      webClientRoutes(app, PAGE, { folder, findInvite: async () => undefined }),
    )
    browser = await launchBrowser()
    page = await (await browser.newContext({ baseURL: kernel.url })).newPage()
  })

  after(async () => {
    await browser?.close()
    await kernel?.app.close()
    await rm(folder, { recursive: true, force: true })
  })

  const builds = () =>
    page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('foyer-build:')).length)
  const script = () => page.locator('script[type="module"]').getAttribute('src')

  test('is cached once it is loaded, and the previous one is removed when no page shows it', async () => {
    await page.goto('/')
    await eventually(() => page.evaluate(() => navigator.serviceWorker.controller !== null), true)
    const first = await script()
    await deployNext(folder)
    const other = await page.context().newPage()
    await other.goto('/')
    await eventually(() => builds(), 2)
    await letTakeOver(page)
    assert.equal(await script(), first, 'a page that is open stays what it is')
    await page.reload()
    assert.notEqual(await script(), first)
    await eventually(() => builds(), 1)
    await page.context().setOffline(true)
    await page.reload()
    await page.getByRole('heading').first().waitFor()
    assert.notEqual(await script(), first)
  })
})

/** Deploys another build: the same client, with an entry script of another name. */
async function deployNext(folder: string): Promise<void> {
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const entry = /<script type="module"[^>]* src="\/(assets\/[^"]+)"/.exec(page)?.[1]
  assert.ok(entry !== undefined)
  const next = entry.replace(/\.js$/, '-next.js')
  await cp(join(folder, entry), join(folder, next))
  for (const name of ['index.html', 'worker.js']) {
    const text = await readFile(join(folder, name), 'utf8')
    await writeFile(join(folder, name), text.replaceAll(entry, next))
  }
}

async function dropCompressed(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (/\.(br|gz)$/.test(name)) await rm(join(folder, name))
}
