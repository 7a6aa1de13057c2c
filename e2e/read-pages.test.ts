import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { Administration } from '@foyer/sdk/api/administration'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import { noBrowser } from './chromium-files.ts'
import type { Person } from './person.ts'
import { axeFindings, overflowingParts } from './screens/looks.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

const PHONE = { width: 320, height: 640 }
const DESKTOP = { width: 1280, height: 800 }
const LONG_TEXT = `## Packing list
- boots and **two** pairs of socks, a map of <https://example.org/${'very-'.repeat(30)}long-address>
- \`water\` and ||a surprise||

\`\`\`
${'a line of code that is wider than every phone '.repeat(4)}
\`\`\`
> The hut opens at ten.`

/** Pages for people without an account, in a browser without one. */
describe('WEBPAGE-1: pages on the web, in a browser', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let stranger: Person
  let spaceId: string
  /** Path of the space's page. */
  let entrance: string

  before(async () => {
    stage = await Stage.openOwn()
    mira = await settle(stage, 'mira')
    await mira.client.api(Administration).updatePublicPages({ public_pages: true })
    const { space, general } = await gather('Sunday hikers', [mira])
    const forum = await mira.client.rooms.create(space.id, { name: 'questions', type: RoomType.Forum })
    for (const { id } of [general, forum]) await mira.client.api(WebRooms).open(id)
    await mira.client.messages.create(general.id, { content: LONG_TEXT })
    const [thread, post] = [
      { title: 'The ridge or the lake?' },
      { title: 'Which boots?', content: LONG_TEXT },
    ]
    const started = await mira.client.api(ThreadRooms).create(general.id, thread)
    await mira.client.messages.create(started.id, { content: 'The ridge, if it stays dry.' })
    await mira.client.api(ThreadRooms).create(forum.id, post)
    spaceId = space.id
    entrance = `/read/${space.id}`
    stranger = await stage.person('stranger')
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const isPage = ({ origin, pathname }: URL) =>
    origin === stage.program.url && /^\/read\/(?!.*\.\w+$)/.test(pathname)

  /** Returns the paths of all pages that the entrance leads to. */
  async function crawl(): Promise<string[]> {
    const paths = new Set([entrance])
    for (const path of paths) {
      await stranger.page.goto(path)
      const linked = await stranger.page.evaluate(() =>
        [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].map(({ href }) => href),
      )
      for (const { pathname } of linked.map((href) => new URL(href)).filter(isPage)) paths.add(pathname)
    }
    return [...paths]
  }

  test('axe finds nothing, light and dark, and everything fits a phone', async () => {
    const { page } = stranger
    const paths = await crawl()
    // The space, two rooms, a month, a thread and a post.
    assert.ok(paths.length >= 6, paths.join(' '))
    for (const [index, path] of paths.entries())
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(DESKTOP)
        await page.goto(path)
        assert.deepEqual(await axeFindings(page, 'html'), [], `${path}, ${colorScheme}`)
        await page.setViewportSize(PHONE)
        assert.deepEqual(await overflowingParts(page), [], path)
        await stranger.picture(`read-${index}-${colorScheme}`)
      }
    await page.setViewportSize(DESKTOP)
  })

  test('the keyboard skips to the content, and every link can be reached', async () => {
    const { page } = stranger
    await page.goto(entrance)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    assert.equal(new URL(page.url()).hash, '#content')
    const links = await page.getByRole('main').getByRole('link').count()
    const reached = new Set<string>()
    for (let press = 0; press < links; press += 1) {
      await page.keyboard.press('Tab')
      reached.add(await page.evaluate(() => String(document.activeElement)))
    }
    assert.equal(reached.size, links)
  })

  test('the pages of a German space are German', async () => {
    const { page } = stranger
    await mira.client.spaces.update(spaceId, { locale: 'de' })
    await page.goto(entrance)
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    await page.getByRole('heading', { name: 'Räume' }).waitFor()
    assert.deepEqual(await axeFindings(page, 'html'), [])
  })

  test('the console has no errors', () => assert.deepEqual(stranger.complaints, []))
})
