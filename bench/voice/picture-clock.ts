import type { Page } from 'playwright-core'

declare global {
  interface Window {
    /** A video, each frame of which shows the time at which it was drawn. */
    clock: MediaStreamTrack
  }
}

/** Number of squares that show a time: one for each of the lowest bits of its milliseconds. */
const BITS = 20
const FRAME_MS = 1000 / 30

/** A frame that a page is about to show. */
export interface ShownFrame {
  /** Milliseconds since the frame was drawn. */
  readonly ageMs: number
  readonly height: number
}

/** Draws 30 frames a second that show the time as a row of squares. A bar moves below them, so that the encoder has work. */
export async function startClock(page: Page, height: number): Promise<void> {
  const clock = { width: (height * 16) / 9, height, bits: BITS, frameMs: FRAME_MS }
  await page.evaluate(({ width, height, bits, frameMs }) => {
    // `createElement` makes no HTML elements in an SVG document.
    const canvas = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas')
    const pen = canvas instanceof HTMLCanvasElement ? canvas.getContext('2d') : null
    if (!(canvas instanceof HTMLCanvasElement) || !pen) throw new Error('the page cannot draw')
    Object.assign(canvas, { width, height })
    const square = width / bits
    const draw = () => {
      const time = Date.now()
      pen.fillStyle = `hsl(${(time / 10) % 360} 50% 50%)`
      pen.fillRect((time / 5) % width, square, width / 4, height - square)
      for (let bit = 0; bit < bits; bit += 1) {
        pen.fillStyle = Math.floor(time / 2 ** bit) % 2 === 1 ? 'white' : 'black'
        pen.fillRect(bit * square, 0, square, square)
      }
    }
    setInterval(draw, frameMs)
    const [track] = canvas.captureStream().getVideoTracks()
    if (track) window.clock = track
  }, clock)
}

/** Returns the frames that the page's videos show within the given seconds. */
export function readClock(page: Page, seconds: number): Promise<ShownFrame[]> {
  return page.evaluate(
    async ({ bits, forMs }) => {
      const read = async (video: HTMLVideoElement): Promise<ShownFrame> => {
        const [shownAt, frame] = [Date.now(), new VideoFrame(video)]
        const { codedWidth: width, displayHeight: height } = frame
        const square = width / bits
        // The first plane of a frame is its brightness. Drawing the frame to read its colors takes over 20 ms.
        const rect = { x: 0, y: 2 * Math.floor(square / 4), width, height: 2 }
        const brightness = new Uint8Array(frame.allocationSize({ rect }))
        await frame.copyTo(brightness, { rect })
        frame.close()
        let drawnAt = 0
        for (let bit = 0; bit < bits; bit += 1)
          drawnAt += (brightness[Math.floor((bit + 0.5) * square)] ?? 0) > 127 ? 2 ** bit : 0
        return { ageMs: (shownAt - drawnAt) % 2 ** bits, height }
      }
      const frames: Promise<ShownFrame>[] = []
      const follow = (video: HTMLVideoElement) =>
        video.requestVideoFrameCallback(() => {
          // When a video gets another stream, the callback is called a last time, without a frame.
          if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) frames.push(read(video))
          follow(video)
        })
      for (const video of document.querySelectorAll('video')) follow(video)
      await new Promise((resolve) => setTimeout(resolve, forMs))
      return Promise.all(frames)
    },
    { bits: BITS, forMs: seconds * 1000 },
  )
}
