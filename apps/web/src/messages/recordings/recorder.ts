import { type LevelSample, waveformOf, waveformTail } from '#src/attachments/transfer/waveform.ts'
import { openMicrophone } from '#src/voice/control/microphone.ts'
import type { MicrophoneSettings } from '#src/voice/control/voice-settings.ts'
import { type LevelMeter, meterOf } from '#src/voice/devices/level.ts'
import { kindHere } from './can-record.ts'

/** Records the microphone into a file. */
export interface Recorder {
  readonly meter: LevelMeter
  /** Start of the recording: the value of `performance.now()`, in milliseconds. */
  readonly startedAt: number
  /** True once finished or discarded. Unplugging the microphone does not end the recording. */
  readonly isOver: boolean
  /** Ends the recording. Null if nothing was recorded. */
  finish(): Promise<File | null>
  /** Ends the recording without a file. */
  discard(): void
}

const BITS_PER_SECOND = 32_000
/** Interval at which the encoder delivers data. A crash of the encoder loses no more than this. */
const SLICE_MS = 1000
const LEVEL_INTERVAL_MS = 50

/**
 * Records from the microphone that voice uses.
 * @throws an error that `troubleOf` explains
 */
export async function record(settings: MicrophoneSettings, name: string): Promise<Recorder> {
  const track = await openMicrophone(settings)
  let context: AudioContext | undefined
  try {
    context = new AudioContext()
    return recordTrack(track, context, name)
  } catch (error) {
    track.stop()
    void context?.close()
    throw error
  }
}

function recordTrack(track: MediaStreamTrack, context: AudioContext, name: string): Recorder {
  const stream = new MediaStream([track])
  const { type, ending } = kindHere()
  const recorder = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: BITS_PER_SECOND })
  const parts: Blob[] = []
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
  const stopped = new Promise<void>((resolve) => recorder.addEventListener('stop', () => resolve()))
  const meter = meterOf(context, context.createMediaStreamSource(stream))
  recorder.start(SLICE_MS)
  const waveform = recordWaveform(meter)
  let isOver = false
  const end = () => {
    if (isOver) return
    isOver = true
    waveform.end()
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
      const hasSound = parts.some(({ size }) => size > 0)
      const bytes = [...parts, waveformTail(waveform.result(), ending)]
      return hasSound ? new File(bytes, `${name}.${ending}`, { type: bare(type) }) : null
    },
    discard: end,
  }
}

/** Reads the level regularly until `end`. */
function recordWaveform(meter: LevelMeter) {
  const startedAt = performance.now()
  const elapsed = () => performance.now() - startedAt
  const samples: LevelSample[] = []
  const timer = setInterval(() => samples.push({ atMs: elapsed(), level: meter.read() }), LEVEL_INTERVAL_MS)
  let lengthMs = 0
  return {
    end() {
      clearInterval(timer)
      lengthMs = elapsed()
    },
    result: () => waveformOf(samples, lengthMs),
  }
}

/** The MIME type without its codec. */
function bare(type: string): string {
  return type.split(';')[0] ?? type
}
