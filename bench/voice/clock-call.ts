import { RoomType } from '@foyer/protocol/rooms'
import type { Browser, Page } from 'playwright-core'
import { eventually } from '../../e2e/eventually.ts'
import { Person } from '../../e2e/person.ts'
import { PicturePeer } from '../../e2e/picture-peer.ts'
import type { Program } from '../../e2e/program.ts'
import { gather, settlePerson } from '../../e2e/settled.ts'
import { startClock } from './picture-clock.ts'

/** Bits per second of a video of 1280 × 720 from the web client. */
const RATE_720 = 1_700_000

/** Two pages in voice, one of which watches the clock that the other sends as its screen. */
export interface ClockCall {
  readonly sender: PicturePeer
  readonly viewer: PicturePeer
  /** The pages of the sender and of the viewer. */
  readonly from: Page
  readonly to: Page
}

interface CallOptions {
  readonly height: number
  /** Changes the server's answer to the sender or the viewer. */
  readonly rewrite?: (answer: string, name: 'sender' | 'viewer') => string | Promise<string>
}

/** Opens both pages. Resolves when the viewer shows the clock. */
export async function openClockCall(
  program: Program,
  browser: Browser,
  { height, rewrite = (answer) => answer }: CallOptions,
): Promise<ClockCall> {
  const arrive = async (name: string) =>
    settlePerson(await Person.arrive({ browser, name, url: program.url }))
  const [mira, jonas] = await Promise.all([arrive('mira'), arrive('jonas')])
  const { rooms } = await gather('Sunday hikers', [mira, jonas])
  const lounge = rooms.find(({ type }) => type === RoomType.Voice)?.id ?? ''
  const [sender, viewer] = [new PicturePeer(mira, lounge), new PicturePeer(jonas, lounge)]
  const [from, to] = [mira.person.page, jonas.person.page]
  await startClock(from, height)
  await Promise.all([
    sender.join({ rewrite: (answer) => rewrite(answer, 'sender') }),
    viewer.join({ rewrite: (answer) => rewrite(answer, 'viewer') }),
  ])
  viewer.watch([{ user_id: sender.id, source: 'screen' }])
  sender.setSelf({ self_stream: true })
  await from.evaluate(() => window.senders.screen.replaceTrack(window.clock))
  await limitRate(from, height)
  await playPicture(to)
  return { sender, viewer, from, to }
}

/** Limits the bitrate of the clock, and keeps its resolution, because smaller frames would have shorter delays. */
export async function limitRate(page: Page, height: number): Promise<void> {
  await page.evaluate(
    async (maxBitrate) => {
      const sender = window.peer.getSenders().find(({ track }) => track === window.clock)
      const parameters = sender?.getParameters()
      if (!sender || !parameters) throw new Error('the page does not send its clock')
      for (const encoding of parameters.encodings) encoding.maxBitrate = maxBitrate
      await sender.setParameters({ ...parameters, degradationPreference: 'maintain-resolution' })
    },
    RATE_720 * (height / 720) ** 2,
  )
}

/** Plays the video once its first frame has arrived. Chromium often leaves muted videos paused if they are out of view. */
export async function playPicture(page: Page): Promise<void> {
  const play = async () => {
    const arrived = [...document.querySelectorAll('video')].filter(({ videoWidth }) => videoWidth > 0)
    for (const video of arrived) await video.play()
    return arrived.length > 0
  }
  await eventually(() => page.evaluate(play), true)
}
