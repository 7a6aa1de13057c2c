import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import { choose, isDrawn, send, shown, stored } from './attaching.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import type { Person } from './person.ts'
import { picture } from './sample-files.ts'
import { gather, type Settled, settle, settlePerson } from './settled.ts'
import { Stage } from './stage.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Mira's clock is two days ahead of all others. */
describe('a wrong clock', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Person
  let miras: Settled
  let news: string

  before(async () => {
    stage = await Stage.openOwn()
    mira = await stage.person('mira')
    await mira.page.addInitScript({ content: clockAhead(2 * DAY_MS) })
    miras = await settlePerson(mira)
    const jonas = await settle(stage, 'jonas')
    const { space, general } = await gather('Sunday hikers', [miras, jonas])
    news = (await miras.client.rooms.create(space.id, { name: 'news', type: RoomType.Text })).id
    await jonas.client.messages.create(general.id, { content: 'This very day' })
    await mira.page.goto(`/spaces/${space.id}/rooms/${general.id}`)
    await mira.composer('general').waitFor()
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const label = () =>
    mira.page
      .getByRole('navigation', { name: 'Rooms' })
      .locator(`a[href$="${news}"]`)
      .getAttribute('aria-label')

  const minutesLeft = async () => {
    const [setting] = await miras.client.notifications.listSettings()
    return Math.round((Date.parse(setting?.muted_until ?? '') - Date.now()) / MINUTE_MS)
  }

  test('messages of today are under today’s date', async () => {
    await mira.message('This very day').waitFor()
    await mira.page.getByRole('log').getByText('Today').waitFor()
    await mira.say('Mine, too')
    await eventually(() => mira.outgoing(), 0)
    assert.equal(await mira.page.getByRole('log').getByText('Today').count(), 1)
  })

  test('a mute for an hour lasts an hour, also after a reload', async () => {
    await mira.room('news').hover()
    await mira.button('More options for news').click()
    await mira.page.getByRole('menuitem', { name: 'Notifications…' }).click()
    await mira.button('1 hour').click()
    await mira.page.getByText(/Muted until /).waitFor()
    await mira.page.keyboard.press('Escape')
    await eventually(label, 'news, muted')
    // The client shows the change before the server has stored it.
    await eventually(minutesLeft, 60)
    await mira.page.reload()
    await mira.composer('general').waitFor()
    await eventually(label, 'news, muted')
  })

  test('URLs of pictures that are valid for a day are reused', async () => {
    await choose(mira, [picture('ridge.png', { width: 160, height: 100, sky: [70, 120, 200] })])
    await eventually(() => stored(mira), 1)
    await send(mira)
    await eventually(() => isDrawn(shown(mira, 'ridge.png')), true)
    const asked: string[] = []
    mira.page.on('request', (request) => asked.push(request.url()))
    await mira.page.reload()
    await eventually(() => isDrawn(shown(mira, 'ridge.png')), true)
    assert.deepEqual(
      asked.filter((url) => url.includes('/resign')),
      [],
    )
  })

  test('the console has no errors', () => assert.deepEqual(mira.complaints, []))
})

/** Returns a script that moves all clocks of a page ahead. */
function clockAhead(ms: number): string {
  return `{
    const RightDate = Date
    Date = class extends RightDate {
      constructor(...given) {
        super(...(given.length === 0 ? [Date.now()] : given))
      }
      static now() {
        return RightDate.now() + ${ms}
      }
    }
  }`
}
