import type { MicrophoneSettings } from '../voice-settings.ts'
import { type LoadedFilter, loadFilter } from './load-filter.ts'
import { type QuietTrouble, quiet } from './quiet.ts'

/** Time for the browser to start the filter. Without a click or key press on the page, some never do. */
const START_MS = 1000

type Capture = (settings: MicrophoneSettings) => Promise<MediaStreamTrack>

/**
 * Returns the microphone's track through the filter, which replaces the browser's own. If that is not possible, returns the plain
 * track and says why in `quiet`.
 * @param capture opens the microphone. Its rejections are passed on
 */
export async function openFiltered(
  settings: MicrophoneSettings,
  capture: Capture,
): Promise<MediaStreamTrack> {
  const filter = await loadFilter().catch(() => undefined)
  if (filter === undefined) return openPlain(settings, capture, 'failed')
  const raw = await capture({ ...settings, noiseSuppression: false }).catch((error) => {
    close(filter.context)
    throw error
  })
  try {
    const track = connect(filter, raw)
    if (await isRunning(filter.context)) {
      quiet.setState({ trouble: null })
      return track
    }
    track.stop()
  } catch {
    raw.stop()
    close(filter.context)
    return openPlain(settings, capture, 'failed')
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

/** Returns the filter's output as a track that lives and ends together with the microphone's. */
function connect({ context, node }: LoadedFilter, raw: MediaStreamTrack): MediaStreamTrack {
  const output = context.createMediaStreamDestination()
  output.channelCount = 1
  output.channelCountMode = 'explicit'
  context
    .createMediaStreamSource(new MediaStream([raw]))
    .connect(node)
    .connect(output)
  const [track] = output.stream.getAudioTracks()
  if (track === undefined) throw new Error('the filter has no output')
  const end = track.stop.bind(track)
  const stop = () => {
    end()
    raw.stop()
    close(context)
  }
  // Scripts that stop the track do not know the microphone behind it, and no event reports it.
  Object.assign(track, { stop })
  raw.addEventListener('ended', () => {
    stop()
    track.dispatchEvent(new Event('ended'))
  })
  return track
}

/** Closes it once, although a track may be stopped several times. */
function close(context: AudioContext): void {
  if (context.state !== 'closed') context.close().catch(() => undefined)
}

async function isRunning(context: AudioContext): Promise<boolean> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, START_MS))
  await Promise.race([context.resume(), late])
  return context.state === 'running'
}
