import type { Page } from 'playwright-core'

/** Milliseconds from one flash with its beep to the next. */
const EVERY_MS = 1000
const LONG_MS = 250
/** Number of flashes to measure: enough for a median that single late values do not change. */
const WANTED = 9
const PATIENCE_MS = 40_000

declare global {
  interface Window {
    flashing: AudioContext
    senses: { isLit: () => boolean; isLoud: () => boolean }
  }
}

/** Sends a flashing drawing as the camera and, as the microphone, a tone that beeps at the same moments as the flashes. */
export async function sendFlashesAndBeeps(page: Page): Promise<void> {
  await page.evaluate(
    async ({ everyMs, longMs }) => {
      // Browsers let a page play audio while it records.
      await navigator.mediaDevices.getUserMedia({ audio: true })
      const audio = new AudioContext()
      window.flashing = audio
      await audio.resume()
      const tone = new OscillatorNode(audio, { frequency: 880 })
      const gain = new GainNode(audio, { gain: 0 })
      const sound = audio.createMediaStreamDestination()
      tone.connect(gain).connect(sound)
      tone.start()
      const canvas = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas')
      const pen = canvas instanceof HTMLCanvasElement ? canvas.getContext('2d') : null
      if (!(canvas instanceof HTMLCanvasElement) || !pen) throw new Error('the page cannot draw')
      Object.assign(canvas, { width: 320, height: 180 })
      let isLit = false
      const draw = () => {
        pen.fillStyle = isLit ? 'white' : 'black'
        pen.fillRect(0, 0, 320, 180)
        pen.fillStyle = `hsl(${performance.now() % 360} 50% 50%)`
        pen.fillRect(0, 0, 8, 8)
      }
      const light = (isOn: boolean) => {
        isLit = isOn
        draw()
        gain.gain.setValueAtTime(isOn ? 0.8 : 0, audio.currentTime)
      }
      setInterval(draw, 66)
      setInterval(() => {
        light(true)
        setTimeout(() => light(false), longMs)
      }, everyMs)
      const [picture] = canvas.captureStream(15).getVideoTracks()
      const [voice] = sound.stream.getAudioTracks()
      await window.senders.camera.replaceTrack(picture ?? null)
      await window.senders.microphone.replaceTrack(voice ?? null)
    },
    { everyMs: EVERY_MS, longMs: LONG_MS },
  )
}

/** Returns the median delay from a flash to its beep, in milliseconds. */
export async function beepAfterFlashMs(page: Page): Promise<number> {
  await page.evaluate(openSenses)
  const { flashes, beeps } = await page.evaluate(watchAndListen, { wanted: WANTED, patienceMs: PATIENCE_MS })
  const apart = flashes.flatMap((flash) => {
    const nearest = beeps.map((beep) => beep - flash).sort((a, b) => Math.abs(a) - Math.abs(b))[0]
    return nearest === undefined || Math.abs(nearest) > EVERY_MS / 2 ? [] : [nearest]
  })
  if (apart.length < 5) throw new Error(`${flashes.length} flashes and ${beeps.length} beeps arrived`)
  return apart.sort((a, b) => a - b)[Math.floor(apart.length / 2)] ?? Number.NaN
}

/** Shows the flashing video in the page, and adds functions that detect whether it is lit and whether a voice is loud. */
async function openSenses(): Promise<void> {
  const audio = new AudioContext()
  await audio.resume()
  const voices = window.received.voices.map(({ track }) => {
    const analyser = new AnalyserNode(audio, { fftSize: 256 })
    audio.createMediaStreamSource(new MediaStream([track])).connect(analyser)
    return analyser
  })
  const canvas = new OffscreenCanvas(8, 8)
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  const [picture] = [...document.getElementsByTagNameNS('http://www.w3.org/1999/xhtml', 'video')].filter(
    (element) => element instanceof HTMLVideoElement && element.videoWidth === 320,
  )
  if (!pen || !(picture instanceof HTMLVideoElement)) throw new Error('the page shows no picture')
  // The page is an SVG document, which shows HTML elements only inside a foreignObject.
  const frame = document.createElementNS('http://www.w3.org/2000/svg', 'foreignObject')
  frame.setAttribute('width', '320')
  frame.setAttribute('height', '180')
  document.documentElement.append(frame)
  frame.append(picture)
  await picture.play()
  const samples = new Float32Array(256)
  window.senses = {
    isLoud: () =>
      voices.some((analyser) => {
        analyser.getFloatTimeDomainData(samples)
        return samples.some((sample) => Math.abs(sample) > 0.1)
      }),
    isLit: () => {
      pen.drawImage(picture, 0, 0, 8, 8)
      return (pen.getImageData(4, 4, 1, 1).data[0] ?? 0) > 128
    },
  }
}

/** Returns the times at which flashes and beeps began. Both are read at the same moments, so that a busy page delays them alike. */
async function watchAndListen({
  wanted,
  patienceMs,
}: {
  wanted: number
  patienceMs: number
}): Promise<{ flashes: number[]; beeps: number[] }> {
  const { isLit, isLoud } = window.senses
  const [flashes, beeps]: [number[], number[]] = [[], []]
  let [wasLit, wasLoud] = [true, true]
  const until = performance.now() + patienceMs
  while (performance.now() < until && Math.min(flashes.length, beeps.length) < wanted) {
    const [lit, loud] = [isLit(), isLoud()]
    const now = performance.now()
    if (lit && !wasLit) flashes.push(now)
    // The samples of a tone cross zero, so sound within 300 ms of the last beep belongs to that beep.
    if (loud && !wasLoud && now - (beeps.at(-1) ?? 0) > 300) beeps.push(now)
    wasLit = lit
    wasLoud = loud
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return { flashes, beeps }
}
