import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

declare global {
  interface Window {
    text: {
      readonly pen: CanvasRenderingContext2D
      readonly track: MediaStreamTrack
      /** Number of the page of text that is drawn. */
      page: number
    }
    sending: RTCPeerConnection
    shownText: HTMLVideoElement
  }
}

const SIZE = { width: 1280, height: 720, lineHeight: 20 }
/** Time in which a new connection reaches its bitrate. */
const WARMUP_MS = 2000

/** Pages of text that are sent to another connection of the same browser. */
export interface TextRun {
  /** Name of the codec in SDP. */
  readonly codec: string
  /** Bits per second. */
  readonly bitrate: number
  readonly pages: number
  readonly msPerPage: number
}

export interface TextSharpness {
  /** Likeness (PSNR) of each shown page to the drawn page, `msPerPage` after it was drawn. */
  readonly likenessDb: readonly number[]
  readonly encodeMsPerFrame: number
  readonly bytesPerPage: number
}

/** Sends pages of text, one after the other. */
export async function sendText(page: Page, run: TextRun): Promise<TextSharpness> {
  await page.evaluate(drawText, SIZE)
  await page.evaluate(connect, run)
  await sleep(WARMUP_MS)
  const before = await page.evaluate(readSender)
  const likenessDb: number[] = []
  for (let number = 1; number <= run.pages; number += 1) {
    await page.evaluate((next) => {
      window.text.page = next
    }, number)
    await sleep(run.msPerPage)
    likenessDb.push(await page.evaluate(compare, SIZE))
  }
  const after = await page.evaluate(readSender)
  const frames = Math.max(1, after.frames - before.frames)
  return {
    likenessDb,
    encodeMsPerFrame: ((after.encodeSeconds - before.encodeSeconds) * 1000) / frames,
    bytesPerPage: (after.bytes - before.bytes) / run.pages,
  }
}

/** Draws the current page of text ten times a second. Runs in the page. */
function drawText({ width, height, lineHeight }: typeof SIZE): void {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  const [track] = canvas.captureStream(10).getVideoTracks()
  if (pen === null || track === undefined) throw new Error('the page cannot draw')
  document.body.append(canvas)
  track.contentHint = 'text'
  window.text = { pen, track, page: 0 }
  const lineOf = (seed: number) => {
    let state = seed
    const letters = Array.from({ length: 130 }, () => {
      state = (state * 48_271) % 2_147_483_647
      return String.fromCharCode(33 + (state % 90))
    })
    return letters.join('')
  }
  const draw = () => {
    pen.fillStyle = 'white'
    pen.fillRect(0, 0, width, height)
    pen.fillStyle = 'black'
    pen.font = '15px monospace'
    // The first line changes all the time, so that there are always frames.
    pen.fillText(String(Math.floor(performance.now() / 100)), 4, lineHeight - 4)
    for (let line = 1; line < height / lineHeight; line += 1)
      pen.fillText(lineOf(window.text.page * 1000 + line), 4, (line + 1) * lineHeight - 4)
  }
  draw()
  setInterval(draw, 100)
}

/** Sends the drawing from one connection to another, and waits until it is shown. Runs in the page. */
async function connect({ codec, bitrate }: TextRun): Promise<void> {
  const [from, to] = [new RTCPeerConnection(), new RTCPeerConnection()]
  from.addEventListener('icecandidate', ({ candidate }) => void to.addIceCandidate(candidate ?? undefined))
  to.addEventListener('icecandidate', ({ candidate }) => void from.addIceCandidate(candidate ?? undefined))
  const sendEncodings = [{ maxBitrate: bitrate }]
  const line = from.addTransceiver(window.text.track, { direction: 'sendonly', sendEncodings })
  const wanted = [`video/${codec}`, 'video/rtx']
  const known = RTCRtpReceiver.getCapabilities('video')?.codecs ?? []
  line.setCodecPreferences(known.filter(({ mimeType }) => wanted.includes(mimeType)))
  const video = Object.assign(document.createElement('video'), { muted: true, autoplay: true })
  to.addEventListener('track', ({ track }) => {
    video.srcObject = new MediaStream([track])
    void video.play()
  })
  document.body.append(video)
  window.sending = from
  window.shownText = video
  await from.setLocalDescription(await from.createOffer())
  await to.setRemoteDescription(from.localDescription ?? { type: 'offer' })
  await to.setLocalDescription(await to.createAnswer())
  await from.setRemoteDescription(to.localDescription ?? { type: 'answer' })
  while (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA)
    await new Promise((resolve) => setTimeout(resolve, 50))
}

/** Returns the totals of the sending connection. Runs in the page. */
async function readSender(): Promise<{ bytes: number; frames: number; encodeSeconds: number }> {
  const stats = [...(await window.sending.getStats()).values()]
  const sent = stats.find(({ type }) => type === 'outbound-rtp')
  return { bytes: sent.bytesSent, frames: sent.framesEncoded, encodeSeconds: sent.totalEncodeTime }
}

/** Returns the likeness (PSNR in dB) of the shown text to the drawn text, without the first line. Runs in the page. */
function compare({ width, height, lineHeight }: typeof SIZE): number {
  const pen = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')
  if (pen === null) throw new Error('the page cannot draw')
  pen.drawImage(window.shownText, 0, 0, width, height)
  const top = 2 * lineHeight
  const drawn = window.text.pen.getImageData(0, top, width, height - top).data
  const shown = pen.getImageData(0, top, width, height - top).data
  let sum = 0
  for (let green = 1; green < drawn.length; green += 4)
    sum += ((drawn[green] ?? 0) - (shown[green] ?? 0)) ** 2
  return 10 * Math.log10(255 ** 2 / (Math.max(sum, 1) / (drawn.length / 4)))
}
