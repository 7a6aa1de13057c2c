import type { Frame, Page } from 'playwright-core'

declare global {
  interface Window {
    /** The microphones that the page has opened, recorded by `watchMicrophones`. */
    microphones: MediaStreamTrack[]
    /** Last filter of the noise suppression, recorded by `watchFilters` in the window of its frame. */
    filter: AudioWorkletNode | undefined
  }
}

/** Levels of a sent voice in dB below full scale. */
export interface SentLevels {
  /** Level of the pauses: the 20th percentile of all windows. */
  readonly pauses: number
  /** Level of the speech: the 80th percentile of all windows. */
  readonly speech: number
}

/** Records the microphones that the page opens from its next load on. */
export async function watchMicrophones(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.microphones = []
    const devices = navigator.mediaDevices
    const original = devices.getUserMedia.bind(devices)
    devices.getUserMedia = async (constraints) => {
      const stream = await original(constraints)
      window.microphones.push(...stream.getAudioTracks())
      return stream
    }
  })
}

/** From the next load on, suspends the page's audio until a click or key press, as browsers may do after a reload. */
export async function requirePress(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const press = () => document.documentElement.setAttribute('data-pressed', '')
    for (const name of ['pointerdown', 'keydown']) window.addEventListener(name, press, { capture: true })
    // The script runs in the page, and in the frame of the noise suppression. In both, `window.parent` is the page.
    const isPressed = () => window.parent.document.documentElement.hasAttribute('data-pressed')
    const Original = window.AudioContext
    window.AudioContext = class extends Original {
      constructor(options?: AudioContextOptions) {
        super(options)
        if (!isPressed()) void this.suspend()
      }

      override async resume(): Promise<void> {
        return isPressed() ? super.resume() : new Promise(() => undefined)
      }
    }
  })
}

/** Returns the frame that the filter of the noise suppression runs in. */
export function soundFrame(page: Page): Frame {
  const frame = page.frames().find((each) => each.url().endsWith('/sound-frame.html'))
  if (frame === undefined) throw new Error('the filter is not loaded')
  return frame
}

/** Records the filters that start from now on. */
export async function watchFilters(frame: Frame): Promise<void> {
  await frame.evaluate(() => {
    const Original = window.AudioWorkletNode
    window.AudioWorkletNode = class extends Original {
      constructor(context: BaseAudioContext, name: string, options?: AudioWorkletNodeOptions) {
        super(context, name, options)
        window.filter = this
      }
    }
  })
}

/** Suspends the audio of the last filter, as a phone does during a phone call. */
export async function suspendFilter(frame: Frame, options: { readonly mayResume: boolean }): Promise<void> {
  await frame.evaluate(async ({ mayResume }) => {
    const context = window.filter?.context
    if (!(context instanceof AudioContext)) throw new Error('there is no filter')
    if (!mayResume) context.resume = () => new Promise(() => undefined)
    await context.suspend()
  }, options)
}

/** Makes a page or frame refuse microphones, as Firefox does if their sample rate is not that of the AudioContext. */
export async function refuseMicrophones(target: Page | Frame): Promise<void> {
  await target.evaluate(() => {
    AudioContext.prototype.createMediaStreamSource = () => {
      throw new DOMException('another rate', 'NotSupportedError')
    }
  })
}

/** Returns whether the browser suppresses noise in the page's last microphone, and whether that microphone is still open. */
export function lastMicrophone(page: Page): Promise<{ suppresses: boolean; isOpen: boolean }> {
  return page.evaluate(() => {
    const track = window.microphones.at(-1)
    const isOpen = track?.readyState === 'live'
    return { suppresses: track?.getSettings().noiseSuppression === true, isOpen }
  })
}

/** Ends the page's microphone as if it were unplugged. */
export async function unplugMicrophone(page: Page): Promise<void> {
  await page.evaluate(() => {
    const track = window.microphones.at(-1)
    track?.stop()
    track?.dispatchEvent(new Event('ended'))
  })
}

/** Returns the source of the voice that the page sends: the microphone itself, the filter's output, or nothing. */
export function sentSource(page: Page): Promise<'microphone' | 'filter' | 'nothing'> {
  return page.evaluate(() => {
    const peer = window.peers.findLast(({ connectionState }) => connectionState === 'connected')
    const track = peer?.getSenders().find(({ track }) => track?.kind === 'audio')?.track
    if (track == null || track.readyState === 'ended') return 'nothing'
    return window.microphones.includes(track) ? 'microphone' : 'filter'
  })
}

/** Measures the track that the page sends, in windows of 20 ms. */
export function measureSent(page: Page, seconds: number): Promise<SentLevels> {
  return page.evaluate(async (length) => {
    const peer = window.peers.findLast(({ connectionState }) => connectionState === 'connected')
    const track = peer?.getSenders().find((sender) => sender.track?.kind === 'audio')?.track
    if (track == null) throw new Error('the page sends no voice')
    const context = new AudioContext({ sampleRate: 48_000 })
    await context.resume()
    const analyser = new AnalyserNode(context, { fftSize: 1024 })
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    const levels: number[] = []
    const end = performance.now() + length * 1000
    while (performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      analyser.getFloatTimeDomainData(samples)
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
      levels.push(10 * Math.log10(Math.max(power, 1e-12)))
    }
    await context.close()
    levels.sort((a, b) => a - b)
    const at = (share: number) => levels[Math.floor(levels.length * share)] ?? 0
    return { pauses: at(0.2), speech: at(0.8) }
  }, seconds)
}
