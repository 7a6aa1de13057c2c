import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { REFRESH_COOKIE, SESSION_COOKIE } from '@foyer/protocol/token-names'
import { Client } from '@foyer/sdk/client'
import type { Page, Route } from 'playwright-core'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { keepInStorage } from './signed-in.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('a login stored in the browser', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person

  before(async () => {
    stage = await Stage.openOwn()
    mira = await stage.person('mira')
    await mira.page.goto('/')
    await mira.signUp()
    await mira.createSpace('Sunday hikers')
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const composer = (page: Page) => page.getByRole('textbox', { name: 'Message #general', exact: true })

  async function reloadAll(...pages: Page[]): Promise<void> {
    await Promise.all(pages.map((page) => page.reload()))
    for (const page of pages) await composer(page).waitFor()
  }

  test('WEB-12: scripts can read no long-lived token, and a reload stays signed in', async () => {
    const secrets = await secretsOf(mira)
    assert.deepEqual(Object.keys(secrets).sort(), [REFRESH_COOKIE, SESSION_COOKIE])
    await reloadAll(mira.page)
    const readable = await readableIn(mira.page)
    assert.match(readable, /access\.[\w.-]+/)
    assert.doesNotMatch(readable, /refresh_token|session_token/)
    for (const secret of Object.values(secrets)) assert.ok(!readable.includes(secret))
  })

  test('WEB-12: two tabs that reload at once after the access token expired both stay signed in', async () => {
    const second = await mira.context.newPage()
    await second.goto('/')
    await composer(second).waitFor()
    const before = await secretsOf(mira)
    await expire(mira.page)
    await reloadAll(mira.page, second)
    await eventually(async () => (await secretsOf(mira))[REFRESH_COOKIE] !== before[REFRESH_COOKIE], true)
    await reloadAll(mira.page, second)
    await second.close()
  })

  test('WEB-12: tabs without locks stay signed in, too', async () => {
    const second = await mira.context.newPage()
    for (const page of [mira.page, second])
      await page.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }))
    await second.goto('/')
    await composer(second).waitFor()
    await expire(mira.page)
    await reloadAll(mira.page, second)
    await second.close()
    assert.deepEqual(mira.complaints, [])
  })

  test('WEB-12: a refresh whose answer was lost does not sign out', async () => {
    const before = await secretsOf(mira)
    const lost = Promise.withResolvers<number>()
    await mira.page.route('**/api/auth/refresh', async (route) => lost.resolve(await loseAnswer(route)))
    await expire(mira.page)
    await mira.page.reload()
    assert.equal(await lost.promise, 200)
    assert.deepEqual(await secretsOf(mira), before)
    await mira.page.unroute('**/api/auth/refresh')
    await reloadAll(mira.page)
    assert.notDeepEqual(await secretsOf(mira), before)
    mira.forgiveOutage()
  })

  test('WEB-12: signing out in one tab signs out the other, and leaves no cookie', async () => {
    const second = await mira.context.newPage()
    await second.goto('/')
    await composer(second).waitFor()
    await mira.signOut()
    for (const page of [mira.page, second])
      await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
    assert.deepEqual(await mira.context.cookies(), [])
    await second.close()
    assert.deepEqual(mira.complaints, [])
  })

  test('WEB-12: tokens that an older version stored are moved into cookies', async () => {
    const client = new Client({ baseUrl: stage.program.url })
    const { user: _, ...tokens } = await client.auth.login({ email: 'mira', password: mira.password })
    await keepInStorage(mira.page, tokens)
    await reloadAll(mira.page)
    await eventually(async () => (await readableIn(mira.page)).includes('refresh_token'), false)
    assert.deepEqual(Object.keys(await secretsOf(mira)).sort(), [REFRESH_COOKIE, SESSION_COOKIE])
    await reloadAll(mira.page)
    assert.deepEqual(mira.complaints, [])
  })
})

/** Returns the cookies that hold tokens, by name. */
async function secretsOf({ context }: Person): Promise<Record<string, string>> {
  const cookies = await context.cookies()
  assert.ok(cookies.every(({ httpOnly }) => httpOnly))
  return Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
}

/** Returns everything that a script of the page can read from the browser's storage. */
function readableIn(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const rows: unknown[] = []
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await settled(indexedDB.open(name))
      const stores = [...database.objectStoreNames]
      for (const store of stores)
        rows.push(await settled(database.transaction(store).objectStore(store).getAll()))
      database.close()
    }
    const entriesOf = (storage: Storage) =>
      Array.from({ length: storage.length }, (_, index) => {
        const key = storage.key(index) ?? ''
        return [key, storage.getItem(key)]
      })
    return JSON.stringify([entriesOf(localStorage), entriesOf(sessionStorage), document.cookie, rows])
  })
}

/** Makes the page believe that its access token has expired. */
function expire(page: Page): Promise<void> {
  return page.evaluate(() => {
    const tokens: unknown = JSON.parse(localStorage.getItem('foyer.session') ?? '{}')
    const expired = Object.assign({}, tokens, { expires_at: '2020-01-01T00:00:00.000Z' })
    localStorage.setItem('foyer.session', JSON.stringify(expired))
  })
}

/** Lets the server handle the request, but withholds the response from the page. */
async function loseAnswer(route: Route): Promise<number> {
  const request = route.request()
  const { status } = await fetch(request.url(), {
    method: 'POST',
    headers: await request.allHeaders(),
    body: request.postData(),
  })
  await route.abort()
  return status
}
