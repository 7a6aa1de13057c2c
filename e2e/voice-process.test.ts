import { after, afterEach, before, describe, test } from 'node:test'
import { startValkey, type TestValkey, withoutValkey } from '../apps/server/test/valkey/valkey.ts'
import { noBrowser } from './chromium-files.ts'
import { eventually } from './eventually.ts'
import { seesPicture } from './moving-pictures.ts'
import type { Program } from './program.ts'
import { gather, type Settled, settle } from './settled.ts'
import { voiceCounter, watchSound } from './sound.ts'
import { Stage } from './stage.ts'

const SECRET_KEY = 'all processes of the installation have this key'

/** The tests run in order: each continues where the previous one ended. */
describe('a call when its process of --services=voice is killed', {
  skip: noBrowser || withoutValkey,
}, () => {
  let valkey: TestValkey
  let stage: Stage
  let carrier: Program
  let mira: Settled
  let jonas: Settled

  before(async () => {
    valkey = await startValkey()
    stage = await Stage.openOwn(
      { VALKEY_URL: valkey.url, SECRET_KEY, SERVICES: 'api,gateway,jobs' },
      { microphone: true },
    )
    carrier = await startCarrier()
    mira = await settle(stage, 'mira')
    jonas = await settle(stage, 'jonas')
    const { space } = await gather('Sunday hikers', [mira, jonas])
    for (const { person } of [mira, jonas]) {
      await watchSound(person.page)
      await person.page.goto(`/spaces/${space.id}`)
      await person.room('lounge').click()
      await person.page.getByText('Voice connected').first().waitFor()
      await person.page.getByRole('main').getByRole('button', { name: 'Camera', exact: true }).click()
    }
    await meet()
  })

  afterEach((context) => stage.keepFailure(context))
  after(async () => {
    await carrier?.kill()
    await stage?.close()
    await valkey?.close()
  })

  const startCarrier = () => stage.startBeside({ SERVICES: 'voice' })
  const camera = ({ person }: Settled, name: string) =>
    person.page
      .getByRole('main')
      .getByRole('list', { name: 'In lounge' })
      .getByRole('listitem')
      .filter({ hasText: new RegExp(`^${name}`) })
      .filter({ hasText: 'camera on' })

  /** Waits until both receive the voice of the other, and see their camera move. */
  async function meet(): Promise<void> {
    for (const [one, name] of [
      [mira, 'jonas'],
      [jonas, 'mira'],
    ] as const) {
      await eventually(await voiceCounter(one.person.page), 1)
      await seesPicture(camera(one, name))
    }
  }

  /** Counts the connections for media that a page has made. */
  const connections = ({ person }: Settled) => person.page.evaluate(() => window.peers.length)

  /** Waits until both meet again over connections that they make while this runs. */
  async function meetAgain(replace: () => Promise<void>): Promise<void> {
    const people = [mira, jonas]
    const before = await Promise.all(people.map(connections))
    await replace()
    for (const [index, one] of people.entries())
      await eventually(async () => (await connections(one)) > (before[index] ?? 0), true)
    await meet()
  }

  test('FAULT-8, VHOST-8: sound and cameras come back by another process that runs already', () =>
    meetAgain(async () => {
      const next = await startCarrier()
      await carrier.kill()
      carrier = next
    }))

  test('FAULT-8: they come back by a process that is started afterwards', () =>
    meetAgain(async () => {
      await carrier.kill()
      carrier = await startCarrier()
    }))
})
