/** How a note sounds that is struck, and dies away. */
export interface Bell {
  readonly type: OscillatorType
  readonly loudness: number
  readonly seconds: number
  /** Until it is as loud as that: without a slope it would click. */
  readonly riseSeconds: number
  /** How loud it is when it ends. */
  readonly end: number
}

export interface Note {
  readonly hertz: number
  /** In seconds, from now. */
  readonly after: number
}

export function strike(input: AudioNode, bell: Bell, { hertz, after }: Note): void {
  const { context } = input
  const from = context.currentTime + after
  const note = new OscillatorNode(context, { type: bell.type, frequency: hertz })
  const gain = new GainNode(context, { gain: 0 })
  gain.gain.setValueAtTime(0, from)
  gain.gain.linearRampToValueAtTime(bell.loudness, from + bell.riseSeconds)
  gain.gain.exponentialRampToValueAtTime(bell.end, from + bell.seconds)
  note.connect(gain).connect(input)
  note.start(from)
  note.stop(from + bell.seconds)
}
