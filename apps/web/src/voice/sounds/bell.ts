/** The sound of a struck note that dies away. */
export interface Bell {
  readonly type: OscillatorType
  readonly loudness: number
  readonly seconds: number
  /** Time until the full loudness. A sudden start would click. */
  readonly riseSeconds: number
  /** Loudness at the end. */
  readonly end: number
}

export interface Note {
  readonly hertz: number
  /** Delay from now, in seconds. */
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
