/** Loudness over the length of a recording, drawn as bars. */
export interface Waveform {
  /** `BAR_COUNT` heights from 0 to 255. */
  readonly bars: readonly number[]
  readonly lengthMs: number
}

/** A level of the microphone from 0 to 1, and the time since the recording began. */
export interface LevelSample {
  readonly atMs: number
  readonly level: number
}

export const BAR_COUNT = 56
const TALLEST = 255
const MARK = 'foyer-waveform-1'
/** Size of a stored waveform: the mark, the length in milliseconds (4 bytes), and the bars. */
const NOTE_BYTES = MARK.length + 4 + BAR_COUNT

/** Summarizes levels by the loudest of each bar. The loudest bar has the full height. */
export function waveformOf(samples: readonly LevelSample[], lengthMs: number): Waveform {
  const levels: number[] = new Array(BAR_COUNT).fill(0)
  for (const { atMs, level } of samples) {
    const bar = Math.min(BAR_COUNT - 1, Math.max(0, Math.floor((atMs / lengthMs) * BAR_COUNT)))
    levels[bar] = Math.max(levels[bar] ?? 0, level)
  }
  const loudest = Math.max(...levels)
  return {
    bars: levels.map((level) => (loudest === 0 ? 0 : Math.round((level / loudest) * TALLEST))),
    lengthMs,
  }
}

/**
 * Returns the bytes that store the waveform at the end of a recording: as padding in MP4 and WebM, and after the last page
 * of Ogg. Players skip both. Computing the waveform from untrusted files instead could take unbounded memory: a few
 * kilobytes can contain hours of silence.
 */
export function waveformTail({ bars, lengthMs }: Waveform, ending: string): Uint8Array<ArrayBuffer> {
  const head = HEADS[ending] ?? []
  const tail = new Uint8Array(head.length + NOTE_BYTES)
  tail.set(head)
  tail.set(new TextEncoder().encode(MARK), head.length)
  new DataView(tail.buffer).setUint32(head.length + MARK.length, lengthMs)
  tail.set(bars, tail.length - BAR_COUNT)
  return tail
}

/** Headers of an element that players ignore and that contains the waveform, by file name extension. */
const HEADS: Readonly<Record<string, readonly number[]>> = {
  // An MP4 box: its length, then its type "free".
  m4a: [0, 0, 0, 8 + NOTE_BYTES, 0x66, 0x72, 0x65, 0x65],
  // A WebM element: the id of "Void", then its length.
  webm: [0xec, 0x80 + NOTE_BYTES],
}

/** Reads the waveform of a file, or null if it has none. @param file the file, or its last bytes */
export function readWaveform(file: Uint8Array<ArrayBuffer>): Waveform | null {
  if (file.length < NOTE_BYTES) return null
  const note = file.slice(-NOTE_BYTES)
  if (new TextDecoder('latin1').decode(note.subarray(0, MARK.length)) !== MARK) return null
  return { bars: [...note.subarray(-BAR_COUNT)], lengthMs: new DataView(note.buffer).getUint32(MARK.length) }
}

/** Returns the Range header for the end of a file, where its waveform is; null if the file is too small. */
export function waveformRange(sizeBytes: number): string | null {
  return sizeBytes <= NOTE_BYTES ? null : `bytes=${sizeBytes - NOTE_BYTES}-${sizeBytes - 1}`
}
