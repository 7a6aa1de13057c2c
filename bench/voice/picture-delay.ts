import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { eventually } from '../../e2e/eventually.ts'
import type { Program } from '../../e2e/program.ts'
import { limitRate, openClockCall, playPicture } from './clock-call.ts'
import { readClock, type ShownFrame } from './picture-clock.ts'

interface Delays {
  readonly throughServer: readonly ShownFrame[]
  /** Frames sent over a direct connection between the same pages. */
  readonly direct: readonly ShownFrame[]
}

interface DelayOptions {
  readonly height: number
  /** Seconds to wait while the bitrate of a new connection rises. */
  readonly warmup: number
  readonly seconds: number
}

/** Sends a video from one page to another, first through the server, then directly. */
export async function measureDelays(
  program: Program,
  browser: Browser,
  { height, warmup, seconds }: DelayOptions,
): Promise<Delays> {
  const { sender, viewer, from, to } = await openClockCall(program, browser, { height })
  const read = async () => {
    await sleep(warmup * 1000)
    return readClock(to, seconds)
  }
  const throughServer = await read()
  for (const page of [from, to]) await page.evaluate(() => window.peer.close())
  await connectDirectly(from, to)
  await limitRate(from, height)
  await playPicture(to)
  const direct = await read()
  for (const peer of [sender, viewer]) peer.leave()
  return { throughServer, direct }
}

/** Connects two pages to each other. One sends its clock, which the other shows in place of its previous videos. */
async function connectDirectly(from: Page, to: Page): Promise<void> {
  await from.evaluate(() => {
    window.peer = new RTCPeerConnection()
    window.peer.addTransceiver(window.clock, { direction: 'sendonly' })
  })
  await to.evaluate(() => {
    window.peer = new RTCPeerConnection()
    for (const old of document.querySelectorAll('video')) old.remove()
    window.peer.addEventListener('track', ({ track }) => {
      const video = document.createElementNS('http://www.w3.org/1999/xhtml', 'video')
      Object.assign(video, { muted: true, autoplay: true, srcObject: new MediaStream([track]) })
      document.documentElement.append(video)
    })
  })
  const offer = await describe(from)
  await to.evaluate((sdp) => window.peer.setRemoteDescription({ type: 'offer', sdp }), offer)
  const answer = await describe(to)
  await from.evaluate((sdp) => window.peer.setRemoteDescription({ type: 'answer', sdp }), answer)
}

/** Returns the page's local session description, with all of its ICE candidates. */
async function describe(page: Page): Promise<string> {
  await page.evaluate(() => window.peer.setLocalDescription())
  await eventually(() => page.evaluate(() => window.peer.iceGatheringState), 'complete')
  return page.evaluate(() => window.peer.localDescription?.sdp ?? '')
}
