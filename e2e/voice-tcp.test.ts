import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { RoomType } from '@foyer/protocol/rooms'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { Person } from './person.ts'
import { PicturePeer } from './picture-peer.ts'
import { gather, type Settled, settle, settlePerson } from './settled.ts'
import { voiceCounter, watchSound } from './sound.ts'
import { Stage } from './stage.ts'

/** The tests run in order: each continues where the previous one ended. */
describe('voice in a browser without UDP', { skip: noBrowser }, () => {
  let stage: Stage
  let otherBrowser: Browser
  /** Without UDP. */
  let mira: Settled
  /** With UDP. */
  let jonas: Settled
  let spaceId: string
  let loungeId: string

  before(async () => {
    stage = await Stage.openOwn({}, { microphone: true, udp: false })
    otherBrowser = await launchBrowser({ microphone: true })
    const { url } = stage.program
    const guest = await Person.arrive({ browser: otherBrowser, name: 'jonas', url })
    ;[mira, jonas] = await Promise.all([settle(stage, 'mira'), settlePerson(guest)])
    const { space, rooms } = await gather('Sunday hikers', [mira, jonas])
    spaceId = space.id
    loungeId = rooms.find(({ type }) => type === RoomType.Voice)?.id ?? ''
    await Promise.all([mira, jonas].map(({ person }) => watchSound(person.page)))
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    await stage?.close()
    await otherBrowser?.close()
  })

  test('VTCP-1, VTCP-4: they hear and see each other: one by TCP, the other by UDP', async () => {
    const peers = [mira, jonas].map((settled) => new PicturePeer(settled, loungeId))
    const [without, having] = peers
    assert.ok(without && having)
    await Promise.all(peers.map((peer) => peer.join()))
    const pages = [mira, jonas].map(({ person }) => person.page)
    assert.deepEqual(await Promise.all(pages.map(protocolOf)), ['tcp', 'udp'])
    for (const [peer, other] of [
      [without, having],
      [having, without],
    ] as const) {
      peer.watch([{ user_id: other.id, source: 'camera' }])
      peer.setSelf({ self_video: true })
      await Promise.all([peer.send('microphone'), peer.send('camera')])
    }
    for (const peer of peers) {
      await eventually(() => peer.heard('voices'), 1)
      await eventually(async () => ((await peer.seen())[0]?.frames ?? 0) > 30, true)
    }
    for (const peer of peers) peer.leave()
  })

  test('VTCP-1: they talk in the web client, whose test says that it uses TCP', async () => {
    const panel = ({ person: { page } }: Settled) => page.getByRole('region', { name: 'Voice', exact: true })
    for (const one of [mira, jonas]) {
      await one.person.page.goto(`/spaces/${spaceId}`)
      await one.person.room('lounge').click()
      await panel(one).getByText('Voice connected').waitFor()
    }
    for (const { person } of [mira, jonas]) await eventually(await voiceCounter(person.page), 1)
    await panel(mira).getByRole('button', { name: 'Voice settings' }).click()
    await mira.person.button('Test connection').click()
    await mira.person.page.getByText(/^Audio works over TCP, because UDP is blocked/).waitFor()
    assert.deepEqual(mira.person.complaints, [])
  })
})

/** Returns the protocol of the path that the page's connection has chosen. */
function protocolOf(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const reports = new Map<string, Record<string, unknown>>()
    const stats = await window.peer.getStats()
    stats.forEach((report, id) => void reports.set(id, report))
    const transport = [...reports.values()].find(({ type }) => type === 'transport')
    const pair = reports.get(String(transport?.selectedCandidatePairId))
    return String(reports.get(String(pair?.localCandidateId))?.protocol)
  })
}
