import { openMicrophone } from '../control/microphone.ts'
import { type Outlet, outletOf } from '../control/outlet.ts'
import type { VoiceSettings } from '../control/voice-settings.ts'
import { type LevelMeter, meterOf } from './level.ts'

/** Length of a recording in the microphone test. */
export const ECHO_SECONDS = 4

const TONE_HZ = [523.25, 659.25, 783.99]
const NOTE_SECONDS = 0.22

/** A running microphone test: first it records, then it plays the recording. */
export interface EchoTest {
  readonly recording: LevelMeter
  readonly playback: LevelMeter
  /** Resolves when the recording ends, and its playback begins. */
  readonly recorded: Promise<void>
  /** Resolves when the playback ends. */
  readonly played: Promise<void>
  stop(): void
}

/**
 * Records the microphone for four seconds, with the current settings, and then plays it through the speakers. The microphone is
 * closed by then, so loudspeakers cause no feedback.
 * @throws an error that `troubleOf` explains
 */
export async function testEcho(settings: VoiceSettings): Promise<EchoTest> {
  const track = await openMicrophone(settings)
  let outlet: Outlet | undefined
  try {
    outlet = outletOf(new AudioContext())
    outlet.choose(settings.output)
    return echo(track, outlet)
  } catch (error) {
    track.stop()
    outlet?.close()
    throw error
  }
}

function echo(track: MediaStreamTrack, outlet: Outlet): EchoTest {
  const { context } = outlet
  const source = context.createMediaStreamSource(new MediaStream([track]))
  const memory = new DelayNode(context, { delayTime: ECHO_SECONDS, maxDelayTime: ECHO_SECONDS })
  source.connect(memory).connect(outlet.input)
  const timers: ReturnType<typeof setTimeout>[] = []
  const after = (seconds: number, act: () => void) =>
    new Promise<void>((resolve) => {
      timers.push(setTimeout(() => resolve(act()), seconds * 1000))
    })
  const stop = () => {
    for (const timer of timers) clearTimeout(timer)
    track.stop()
    outlet.close()
  }
  return {
    recording: meterOf(context, source),
    playback: meterOf(context, memory),
    recorded: after(ECHO_SECONDS, () => track.stop()),
    played: after(2 * ECHO_SECONDS, stop),
    stop,
  }
}

/** Plays three notes on the chosen output device. Resolves when they are over. */
export async function playTestSound({ output }: Pick<VoiceSettings, 'output'>): Promise<void> {
  const outlet = outletOf(new AudioContext())
  outlet.choose(output)
  const { context } = outlet
  await context.resume()
  const ends = TONE_HZ.map((hertz, index) => playNote(outlet.input, hertz, index * NOTE_SECONDS))
  await Promise.all(ends)
  outlet.close()
}

function playNote(input: AudioNode, hertz: number, after: number): Promise<void> {
  const { context } = input
  const from = context.currentTime + after
  const note = new OscillatorNode(context, { frequency: hertz })
  const gain = new GainNode(context, { gain: 0 })
  // A sudden start or end of the note would click.
  gain.gain.setValueAtTime(0, from)
  gain.gain.linearRampToValueAtTime(0.25, from + 0.02)
  gain.gain.linearRampToValueAtTime(0, from + NOTE_SECONDS)
  note.connect(gain).connect(input)
  note.start(from)
  note.stop(from + NOTE_SECONDS)
  const { promise, resolve } = Promise.withResolvers<void>()
  note.addEventListener('ended', () => resolve())
  return promise
}
