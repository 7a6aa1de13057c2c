import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { namelessParts } from './names.ts'
import { Centre } from './service-worker.ts'
import { gather, type Settled, settle } from './settled.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('the offer of notifications', { skip: noBrowser }, () => {
  let stage: Stage
  let mira: Settled
  let jonas: Settled
  let lena: Settled
  let general: string

  before(async () => {
    stage = await Stage.open()
    mira = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    lena = await settle(stage, 'lena')
    const place = await gather('Sunday hikers', [mira, jonas, lena])
    general = place.general.id
    for (const { person } of [jonas, lena]) {
      // Headless browsers deny notifications, so the client would never offer them.
      await Centre.of(person)
      await person.page.goto(`/spaces/${place.space.id}`)
      await person.composer('general').waitFor()
    }
  })

  afterEach((context) => stage.keepFailure(context))
  after(() => stage?.close())

  const say = (content: string) => mira.client.messages.create(general, { content })
  const offer = ({ person }: Settled) => person.page.getByRole('region', { name: 'Notifications' })
  const isOn = ({ person }: Settled) =>
    person.page.evaluate(() => JSON.parse(localStorage.getItem('foyer.notifications') ?? '{}').isOn)

  test('WEB-17: appears with the first mention, not with any message', async () => {
    await say('Good morning!')
    await jonas.person.message('Good morning!').waitFor()
    assert.equal(await offer(jonas).count(), 0)
    await say(`<@${jonas.id}> Are you coming?`)
    await offer(jonas).getByText('Get notified when someone mentions or messages you?').waitFor()
    await jonas.person.picture('notification-offer')
    assert.deepEqual(await namelessParts(jonas.person.page), [])
    assert.equal(await isOn(jonas), undefined)
  })

  test('WEB-17: appears with the first direct message, and not again after it was declined', async () => {
    const { id } = await mira.client.conversations.create({ recipient_ids: [lena.id] })
    await mira.client.messages.create({ conversation: id }, { content: 'Hello Lena.' })
    await offer(lena).getByRole('button', { name: 'Not now' }).click()
    await offer(lena).waitFor({ state: 'detached' })
    assert.equal(await isOn(lena), false)
    await lena.person.page.reload()
    await lena.person.composer('general').waitFor()
    await say(`<@${lena.id}> And you?`)
    await lena.person.message('And you?').waitFor()
    await say('Last word')
    await lena.person.message('Last word').waitFor()
    assert.equal(await offer(lena).count(), 0)
  })

  test('WEB-17: turns notifications on when it is accepted', async () => {
    await offer(jonas).getByRole('button', { name: 'Turn on notifications' }).click()
    await offer(jonas).waitFor({ state: 'detached' })
    await eventually(() => isOn(jonas), true)
    await jonas.person.button(/^Account: /).click()
    await jonas.person.button('User settings').click()
    const settings = jonas.person.page.getByRole('dialog', { name: 'User settings' })
    await settings.getByRole('button', { name: 'Notifications', exact: true }).click()
    await settings.getByRole('switch', { name: 'Desktop notifications', checked: true }).waitFor()
  })
})
