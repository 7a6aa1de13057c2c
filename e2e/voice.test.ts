import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import type { Browser } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { killMedia } from './media-process.ts'
import { namelessParts } from './names.ts'
import { Person } from './person.ts'
import { takeDocumentationPicture } from './pictures.ts'
import { gather, type Settled, settle, settlePerson } from './settled.ts'
import { arrivals, isMicrophoneOpen, sendAllTheSame, sentPackets, voiceCounter, watchSound } from './sound.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('a voice room', { skip: noBrowser }, () => {
  let stage: Stage
  let quietBrowser: Browser
  let mira: Settled
  let jonas: Settled
  let ada: Settled
  let zoe: Settled
  let lea: Settled
  let spaceId: string
  let loungeId: string

  before(async () => {
    stage = await Stage.openOwn({}, { microphone: true })
    quietBrowser = await launchBrowser()
    const quiet = await Person.arrive({ browser: quietBrowser, name: 'lea', url: stage.program.url })
    ;[mira, jonas, ada, zoe, lea] = await Promise.all([
      settle(stage, 'mira'),
      settle(stage, 'jonas'),
      settle(stage, 'ada'),
      settle(stage, 'zoe'),
      settlePerson(quiet),
    ])
    const { space, rooms } = await gather('Sunday hikers', [mira, jonas, ada, zoe, lea])
    spaceId = space.id
    loungeId = rooms.find(({ type }) => type === RoomType.Voice)?.id ?? ''
    await Promise.all(
      [mira, jonas, ada, zoe, lea].map(async ({ person }) => {
        await watchSound(person.page)
        await person.page.goto(`/spaces/${spaceId}`)
        await person.composer('general').waitFor()
      }),
    )
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    await stage?.close()
    await quietBrowser?.close()
  })

  const panel = ({ person: { page } }: Settled) => page.getByRole('region', { name: 'Voice', exact: true })
  const page = ({ person }: Settled) => person.page.getByRole('main')
  const inLounge = ({ person: { page } }: Settled) =>
    page.getByRole('navigation').getByRole('list', { name: 'In lounge' })

  async function join(...settled: Settled[]): Promise<void> {
    for (const one of settled) {
      await one.person.room('lounge').click()
      await panel(one).getByText('Voice connected').waitFor()
    }
  }

  /** Waits until the person receives this many voices of other people. */
  async function hears({ person }: Settled, count: number): Promise<void> {
    await eventually(await voiceCounter(person.page), count)
  }

  /** Waits for two seconds in which the others receive each other but not Zoe, although her client sends. */
  async function assertUnheard(others: readonly Settled[]): Promise<void> {
    const listen = async () => {
      const ears = await Promise.all(others.map(({ person }) => voiceCounter(person.page)))
      const before = await sentPackets(zoe.person.page)
      await eventually(async () => (await sentPackets(zoe.person.page)) > before + 100, true)
      return Promise.all(ears.map((heard) => heard()))
    }
    await eventually(
      listen,
      others.map(() => others.length - 1),
    )
  }

  test('a click joins and shows the room, and everyone sees who is in it', async () => {
    await join(mira)
    await mira.person.page.getByRole('heading', { level: 1, name: 'lounge' }).waitFor()
    await inLounge(jonas).getByText('mira').waitFor()
    assert.equal(await panel(jonas).count(), 0)
  })

  test('the keyboard joins, too', async () => {
    await jonas.person.room('lounge').focus()
    await jonas.person.page.keyboard.press('Enter')
    await panel(jonas).getByText('Voice connected').waitFor()
  })

  test('four users hear each other, and no audio is lost', async () => {
    await join(ada, zoe)
    for (const one of [mira, jonas, ada, zoe]) await hears(one, 3)
    for (const { person } of [mira, jonas, ada, zoe]) {
      const lost = (await arrivals(person.page)).map((arrival) => arrival.lost)
      assert.deepEqual(new Set(lost), new Set([0]), person.name)
    }
    await mira.person.page.getByRole('main').getByText('jonas, speaking').waitFor()
  })

  test('a user without a microphone is told so, and can listen', async () => {
    await join(lea)
    await page(lea)
      .getByText(/^You can only listen: /)
      .waitFor()
    await hears(lea, 4)
    await lea.person.picture('voice-listener')
    await panel(lea).getByRole('button', { name: 'Leave voice' }).click()
    await inLounge(mira).getByText('lea').waitFor({ state: 'detached' })
  })

  test('a muted user is not heard, whatever their client sends', async () => {
    await zoe.person.page.keyboard.press('Control+Shift+M')
    await panel(zoe).getByRole('button', { name: 'Unmute' }).waitFor()
    await inLounge(jonas).getByText('zoe, muted').waitFor()
    await sendAllTheSame(zoe.person.page)
    await assertUnheard([mira, jonas, ada])
    await panel(zoe).getByRole('button', { name: 'Unmute' }).click()
    await hears(mira, 3)
  })

  test('a user who may not speak is not heard, whatever their client sends', async () => {
    const target = { target_id: zoe.id, target_type: OverwriteTarget.Member }
    await mira.client.overwrites.upsert(spaceId, loungeId, {
      ...target,
      allow_flags: 0,
      deny_flags: Permission.SpeakInVoice,
    })
    await page(zoe).getByText('You can listen in this room, but not speak.').waitFor()
    await sendAllTheSame(zoe.person.page)
    await assertUnheard([mira, jonas, ada])
    await mira.client.overwrites.delete(spaceId, loungeId, zoe.id)
    await hears(mira, 3)
  })

  test('visiting other pages keeps the user in the room', async () => {
    const { person } = mira
    await person.room('general').click()
    await person.composer('general').waitFor()
    await person.page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await panel(mira).getByText('Voice connected').waitFor()
    await hears(mira, 3)
    await panel(mira).getByRole('link', { name: 'lounge · Sunday hikers' }).click()
    await person.page.getByRole('heading', { level: 1, name: 'lounge' }).waitFor()
  })

  test('it looks right on a desktop, in the dark theme and on a phone', async () => {
    const { page } = mira.person
    const grid = page.getByRole('main').getByRole('list', { name: 'In lounge' })
    await takeDocumentationPicture(page, 'voice')
    assert.deepEqual(await namelessParts(page), [])
    await page.emulateMedia({ colorScheme: 'dark' })
    await grid.getByRole('button', { name: 'jonas' }).click()
    await page.getByRole('slider', { name: 'jonas’s volume' }).fill('150')
    await mira.person.picture('voice-card-dark')
    assert.deepEqual(await namelessParts(page), [])
    await page.getByRole('slider', { name: 'jonas’s volume' }).fill('100')
    await page.keyboard.press('Escape')
    await panel(mira).getByRole('button', { name: 'Voice settings' }).click()
    await page.getByRole('meter', { name: 'Microphone level' }).waitFor()
    await page.getByRole('switch', { name: 'Push to talk' }).click()
    await mira.person.picture('voice-settings-dark')
    await page.getByRole('switch', { name: 'Push to talk' }).click()
    await mira.person.button('Test connection').click()
    await page.getByText(/^Audio works/).waitFor()
    await mira.person.picture('voice-settings-tested-dark')
    assert.deepEqual(await namelessParts(page), [])
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 390, height: 844 })
    await mira.person.picture('voice-phone-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await mira.person.picture('voice-phone')
    assert.deepEqual(await namelessParts(page), [])
    await mira.person.button('Open spaces and rooms').click()
    await inLounge(mira).getByText('zoe').waitFor()
    await mira.person.picture('voice-phone-drawer')
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('push-to-talk transmits while its key is held, and the key still types in a text field', async () => {
    const { page } = jonas.person
    await jonas.person.room('general').click()
    await panel(jonas).getByRole('button', { name: 'Voice settings' }).click()
    await page.getByRole('switch', { name: 'Push to talk' }).click()
    await jonas.person.button('Choose a key').click()
    await page.keyboard.press('t')
    await page.getByText('Hold T to talk.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await panel(jonas).getByRole('button', { name: 'Voice settings' }).focus()
    assert.equal(await isMicrophoneOpen(page), false)
    await page.keyboard.down('t')
    assert.equal(await isMicrophoneOpen(page), true)
    await page.keyboard.up('t')
    assert.equal(await isMicrophoneOpen(page), false)
    await jonas.person.composer('general').pressSequentially('tea')
    assert.equal(await jonas.person.composer('general').inputValue(), 'tea')
    await jonas.person.composer('general').fill('')
    await panel(jonas).getByRole('button', { name: 'Voice settings' }).click()
    await page.getByRole('switch', { name: 'Push to talk' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(await isMicrophoneOpen(page), true)
    await jonas.person.room('lounge').click()
  })

  test('the owner mutes and disconnects a user, who can come back', async () => {
    const act = async (name: string) => {
      await inLounge(mira).getByRole('button', { name: 'jonas' }).click()
      await mira.person.button(name).click()
      await mira.person.page.keyboard.press('Escape')
    }
    await act('Server mute')
    await page(jonas).getByText('You’ve been muted by a moderator.').waitFor()
    await inLounge(ada).getByText('jonas, muted by a moderator').waitFor()
    await act('Unmute')
    await page(jonas).getByText('You’ve been muted by a moderator').waitFor({ state: 'detached' })
    await act('Deafen')
    const deafened = page(jonas).getByText('You’ve been deafened by a moderator.')
    await deafened.waitFor()
    await jonas.person.picture('voice-deafened')
    await act('Undeafen')
    await deafened.waitFor({ state: 'detached' })
    await act('Disconnect')
    await page(jonas).getByText('You were disconnected').waitFor()
    await inLounge(mira).getByText('jonas').waitFor({ state: 'detached' })
    await jonas.person.picture('voice-disconnected')
    await page(jonas).getByRole('button', { name: 'Join lounge' }).click()
    await panel(jonas).getByText('Voice connected').waitFor()
  })

  test('a user who joins from elsewhere is in the room once', async () => {
    const other = await jonas.person.context.newPage()
    await other.goto(`/spaces/${spaceId}/rooms/${loungeId}`)
    await other.getByRole('main').getByRole('button', { name: 'Join lounge' }).click()
    await page(jonas).getByText('You joined from another device or tab').waitFor()
    assert.equal(await inLounge(mira).getByText('jonas').count(), 1)
    await jonas.person.room('general').click()
    await panel(jonas).getByRole('button', { name: 'Join here' }).click()
    await panel(jonas).getByText('Voice connected').waitFor()
    await other.getByRole('main').getByText('You joined from another device or tab').waitFor()
    await other.close()
  })

  test('everyone rejoins automatically after the media process is killed', async () => {
    assert.equal(await killMedia(stage.program.pid), 1)
    for (const one of [mira, jonas, ada, zoe]) await hears(one, 3)
  })

  test('the consoles have no errors', () => {
    for (const { person } of [mira, jonas, ada, zoe, lea])
      assert.deepEqual(person.complaints, [], person.name)
  })
})
