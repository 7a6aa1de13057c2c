import type { MicrophoneSettings } from '../voice-settings.ts'
import { type LoadedFilter, loadFilter } from './load-filter.ts'
import { type QuietTrouble, quiet } from './quiet.ts'

/** Maximum wait for the browser to start the filter. Some browsers never start it without a click or key press on the page. */
const START_MS = 1000

type Capture = (settings: MicrophoneSettings) => Promise<MediaStreamTrack>

/**
 * Returns the microphone's track, filtered by RNNoise instead of the browser's noise suppression. If that is not possible,
 * returns the plain track, and sets the reason in `quiet`.
 * @param capture opens the microphone. Its rejections are passed on
 */
export async function openFiltered(
  settings: MicrophoneSettings,
  capture: Capture,
): Promise<MediaStreamTrack> {
  const filter = await loadFilter().catch(() => undefined)
  if (filter === undefined) return openPlain(settings, capture, 'failed')
  const { context } = filter
  const raw = await capture({ ...settings, noiseSuppression: false }).catch((error) => {
    close(context)
    throw error
  })
  try {
    const track = connect(filter, raw)
    if (await isRunning(context)) {
      quiet.setState({ trouble: null })
      context.onstatechange = () => void keepRunning(context)
      return track
    }
    track.stop()
  } catch (error) {
    raw.stop()
    close(context)
    return openPlain(settings, capture, isUnsupported(error) ? 'unsupported' : 'failed')
  }
  return openPlain(settings, capture, 'asleep')
}

function openPlain(
  settings: MicrophoneSettings,
  capture: Capture,
  trouble: QuietTrouble,
): Promise<MediaStreamTrack> {
  quiet.setState({ trouble })
  return capture(settings)
}

/** Connects the microphone to the filter. Returns the filter's output as a track that ends together with the microphone's. */
function connect({ context, node }: LoadedFilter, raw: MediaStreamTrack): MediaStreamTrack {
  const output = context.createMediaStreamDestination()
  output.channelCount = 1
  output.channelCountMode = 'explicit'
  const source = context.createMediaStreamSource(new MediaStream([raw]))
  source.connect(node).connect(output)
  // A failed processor returns silence. Adds a listener, because Chromium calls no second handler in `onprocessorerror`.
  node.addEventListener('processorerror', () => {
    source.disconnect()
    source.connect(output)
    quiet.setState({ trouble: 'failed' })
  })
  const [track] = output.stream.getAudioTracks()
  if (track === undefined) throw new Error('the filter has no output')
  return tie(track, raw, context)
}

/** Passes `stop` and `enabled` of the filter's track on to the microphone's track, because no event reports them. */
function tie(track: MediaStreamTrack, raw: MediaStreamTrack, context: AudioContext): MediaStreamTrack {
  const end = track.stop.bind(track)
  const stop = () => {
    end()
    raw.stop()
    close(context)
  }
  Object.assign(track, { stop })
  Object.defineProperty(track, 'enabled', {
    get: () => raw.enabled,
    set: (isEnabled: boolean) => {
      raw.enabled = isEnabled
      Reflect.set(MediaStreamTrack.prototype, 'enabled', isEnabled, track)
    },
  })
  raw.addEventListener('ended', () => {
    stop()
    track.dispatchEvent(new Event('ended'))
  })
  return track
}

/** Closes the context only once, because a track may be stopped several times. */
function close(context: AudioContext): void {
  if (context.state !== 'closed') context.close().catch(() => undefined)
}

async function isRunning(context: AudioContext): Promise<boolean> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, START_MS))
  await Promise.race([context.resume(), late])
  return context.state === 'running'
}

/** Resumes a context that the browser or the system has suspended, as for a phone call. A suspended context sends silence. */
async function keepRunning(context: AudioContext): Promise<void> {
  const isBack = await isRunning(context).catch(() => false)
  if (context.state === 'closed') return
  if (!isBack) quiet.setState({ trouble: 'asleep' })
  else if (quiet.getState().trouble === 'asleep') quiet.setState({ trouble: null })
}

/** Returns true if the browser cannot resample: Firefox refuses microphones whose sample rate differs from the filter's. */
function isUnsupported(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'NotSupportedError'
}
