import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { LossyRelay } from '../../e2e/lossy-relay.ts'
import type { Program } from '../../e2e/program.ts'
import { type ClockCall, openClockCall } from './clock-call.ts'

const SEED = 20_261_128

/** Counts of a video, and the bytes on the connections of its sender and viewer in both directions, including lost ones. */
export interface PictureCounts {
  readonly sentFrames: number
  /** Bytes of video, without retransmissions. */
  readonly sentBytes: number
  readonly shownFrames: number
  readonly freezeSeconds: number
  /** Number of key frame requests that the server sent to the sender. */
  readonly keyFrameRequests: number
  readonly senderBytes: number
  readonly viewerBytes: number
}

interface LossOptions {
  readonly height: number
  /** Share of packets that a connection loses in each direction, from 0 to 1. */
  readonly loss: number
  /** Seconds between a change of the loss and the measurement. */
  readonly warmup: number
  readonly seconds: number
}

type Lines = Record<'sender' | 'viewer', LossyRelay>

/** Sends a video without loss, then while the viewer's connection loses packets, then while the sender's connection does. */
export async function measureLosses(
  program: Program,
  browser: Browser,
  options: LossOptions,
): Promise<Record<'clean' | 'viewerLoses' | 'senderLoses', PictureCounts>> {
  const opened: Partial<Lines> = {}
  const rewrite = async (answer: string, name: keyof Lines) => {
    const [, port] = /^a=candidate:.* (\d+) typ host/m.exec(answer) ?? []
    const line = await LossyRelay.open(Number(port), { loss: 0, seed: SEED })
    opened[name] = line
    return answer.replace(/^(a=candidate:.* )\d+( typ host)/gm, `$1${line.port}$2`)
  }
  const call = await openClockCall(program, browser, { ...options, rewrite })
  const { sender, viewer } = opened
  if (!sender || !viewer) throw new Error('the pages do not use the lines')
  const measure = async (losing?: LossyRelay) => {
    for (const line of [sender, viewer]) line.loss = line === losing ? options.loss : 0
    await sleep(options.warmup * 1000)
    const before = await count(call, { sender, viewer })
    await sleep(options.seconds * 1000)
    return subtract(await count(call, { sender, viewer }), before)
  }
  const counts = {
    clean: await measure(),
    viewerLoses: await measure(viewer),
    senderLoses: await measure(sender),
  }
  for (const peer of [call.sender, call.viewer]) peer.leave()
  for (const line of [sender, viewer]) line.close()
  return counts
}

function subtract(after: PictureCounts, before: PictureCounts): PictureCounts {
  return {
    sentFrames: after.sentFrames - before.sentFrames,
    sentBytes: after.sentBytes - before.sentBytes,
    shownFrames: after.shownFrames - before.shownFrames,
    freezeSeconds: after.freezeSeconds - before.freezeSeconds,
    keyFrameRequests: after.keyFrameRequests - before.keyFrameRequests,
    senderBytes: after.senderBytes - before.senderBytes,
    viewerBytes: after.viewerBytes - before.viewerBytes,
  }
}

async function count({ from, to }: ClockCall, { sender, viewer }: Lines): Promise<PictureCounts> {
  const [sent, shown] = await Promise.all([sumsOf(from, 'outbound-rtp'), sumsOf(to, 'inbound-rtp')])
  return {
    sentFrames: sent.framesSent,
    sentBytes: sent.bytesSent,
    shownFrames: shown.framesDecoded - shown.framesDropped,
    freezeSeconds: shown.freezeSeconds,
    keyFrameRequests: sent.keyFrameRequests,
    senderBytes: sender.bytes,
    viewerBytes: viewer.bytes,
  }
}

/** Returns sums over the video streams that a page sends, or over the streams that it receives. */
function sumsOf(page: Page, direction: 'outbound-rtp' | 'inbound-rtp') {
  return page.evaluate(async (wanted) => {
    const stats = [...(await window.peer.getStats()).values()]
    const pictures = stats.filter(({ type, kind }) => type === wanted && kind === 'video')
    const sum = (read: (stat: (typeof stats)[number]) => number | undefined) =>
      pictures.reduce((total, stat) => total + (read(stat) ?? 0), 0)
    return {
      framesSent: sum(({ framesSent }) => framesSent),
      bytesSent: sum(({ bytesSent, retransmittedBytesSent }) => bytesSent - retransmittedBytesSent),
      framesDecoded: sum(({ framesDecoded }) => framesDecoded),
      framesDropped: sum(({ framesDropped }) => framesDropped),
      freezeSeconds: sum(({ totalFreezesDuration }) => totalFreezesDuration),
      keyFrameRequests: sum(({ pliCount, firCount }) => (pliCount ?? 0) + (firCount ?? 0)),
    }
  }, direction)
}
