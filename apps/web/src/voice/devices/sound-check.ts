import { openMicrophone } from '../control/microphone.ts'
import { outletOf } from '../control/outlet.ts'
import type { VoiceSettings } from '../control/voice-settings.ts'
import { type LevelMeter, meterOf } from './level.ts'

const TONE_HZ = [523.25, 659.25, 783.99]
const NOTE_SECONDS = 0.22

/** A running microphone test. */
export interface Listening {
  readonly meter: LevelMeter
  stop(): void
}

/** Plays the microphone through the speakers, with the current settings. */
export async function listenToOneself(settings: VoiceSettings): Promise<Listening> {
  const track = await openMicrophone(settings)
  const outlet = outletOf(new AudioContext())
  outlet.choose(settings.output)
  const source = outlet.context.createMediaStreamSource(new MediaStream([track]))
  const meter = meterOf(outlet.context, source)
  source.connect(outlet.input)
  return {
    meter,
    stop: () => {
      track.stop()
      outlet.close()
    },
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
  // Without a slope at both ends it would click.
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
