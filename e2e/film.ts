import type { Page } from 'playwright-core'

/** A video as a browser has played it. */
export interface Played {
  readonly frames: number
  readonly width: number
  readonly height: number
  readonly seconds: number
  /** Seconds of audio, and the highest amplitude of its samples. */
  readonly sound: { readonly seconds: number; readonly peak: number }
}

/** Records an animated drawing with a tone, in the format in which browsers record: VP8 and Opus in WebM. */
export async function recordFilm(page: Page, seconds: number): Promise<Buffer> {
  return Buffer.from(await page.evaluate(record, seconds), 'base64')
}

/** Plays a video to its end, in the page. */
export function playFilm(page: Page, film: Buffer): Promise<Played> {
  return page.evaluate(play, film.toString('base64'))
}

/** Runs in the page. */
async function record(seconds: number): Promise<string> {
  const canvas = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas')
  const pen = canvas instanceof HTMLCanvasElement ? canvas.getContext('2d') : null
  if (!(canvas instanceof HTMLCanvasElement) || !pen) throw new Error('the page cannot draw')
  Object.assign(canvas, { width: 480, height: 360 })
  const drawing = setInterval(() => {
    pen.fillStyle = `hsl(${performance.now() % 360} 50% 50%)`
    pen.fillRect(0, 0, 480, 360)
  }, 1000 / 15)
  const audio = new AudioContext()
  const tone = new OscillatorNode(audio, { frequency: 440 })
  const target = audio.createMediaStreamDestination()
  tone.connect(target)
  tone.start()
  const tracks = [...canvas.captureStream(15).getTracks(), ...target.stream.getTracks()]
  const options = { mimeType: 'video/webm;codecs=vp8,opus', videoKeyFrameIntervalDuration: 500 }
  const recorder = new MediaRecorder(new MediaStream(tracks), options)
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  const stopped = new Promise((resolve) => {
    recorder.onstop = resolve
  })
  recorder.start()
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  recorder.stop()
  await stopped
  clearInterval(drawing)
  await audio.close()
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** Runs in the page. */
async function play(base64: string): Promise<Played> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const player = document.createElementNS('http://www.w3.org/1999/xhtml', 'video')
  if (!(player instanceof HTMLVideoElement)) throw new Error('the page cannot play')
  player.muted = true
  player.src = URL.createObjectURL(new Blob([bytes], { type: 'video/webm' }))
  document.documentElement.append(player)
  const ended = new Promise((resolve, reject) => {
    player.onended = resolve
    player.onerror = () => reject(new Error(player.error?.message))
  })
  await player.play()
  await ended
  const audio = new AudioContext()
  const sound = await audio.decodeAudioData(bytes.buffer)
  const { duration: seconds, videoWidth: width, videoHeight: height } = player
  const frames = player.getVideoPlaybackQuality().totalVideoFrames
  const peak = sound.getChannelData(0).reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0)
  return { frames, width, height, seconds, sound: { seconds: sound.duration, peak } }
}
