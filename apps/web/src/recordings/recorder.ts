import { type LevelMeter, meterOf } from '#src/voice/level.ts'
import { type MicrophoneSettings, openMicrophone } from '#src/voice/microphone.ts'
import { kindHere } from './can-record.ts'

/** The microphone on its way into a file. */
export interface Recorder {
  readonly meter: LevelMeter
  /** Milliseconds, as of `performance.now()`. */
  readonly startedAt: number
  /** It was finished or discarded. A microphone that is unplugged does not end it. */
  readonly isOver: boolean
  /** Ends it; null when nothing was recorded. */
  finish(): Promise<File | null>
  /** Ends it, and keeps nothing. */
  discard(): void
}

const BITS_PER_SECOND = 32_000
/** How often the browser hands over what it has: a crash of its encoder loses no more. */
const SLICE_MS = 1000

/**
 * Records the microphone that voice uses.
 * @throws what `troubleOf` tells
 */
export async function record(settings: MicrophoneSettings, name: string): Promise<Recorder> {
  const track = await openMicrophone(settings)
  const stream = new MediaStream([track])
  const { type, ending } = kindHere()
  const recorder = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: BITS_PER_SECOND })
  const parts: Blob[] = []
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
  const stopped = new Promise<void>((resolve) => recorder.addEventListener('stop', () => resolve()))
  const context = new AudioContext()
  const meter = meterOf(context, context.createMediaStreamSource(stream))
  recorder.start(SLICE_MS)
  let isOver = false
  const end = () => {
    if (isOver) return
    isOver = true
    if (recorder.state !== 'inactive') recorder.stop()
    track.stop()
    meter.close()
    void context.close()
  }
  return {
    meter,
    startedAt: performance.now(),
    get isOver() {
      return isOver
    },
    finish: async () => {
      end()
      await stopped
      const blob = new Blob(parts, { type: bare(type) })
      return blob.size === 0 ? null : new File([blob], `${name}.${ending}`, { type: blob.type })
    },
    discard: end,
  }
}

/** Without the codec, which the names of files' types do not have. */
function bare(type: string): string {
  return type.split(';')[0] ?? type
}
