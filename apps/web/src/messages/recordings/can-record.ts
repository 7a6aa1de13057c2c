/** Encoding and file name extension of a recording. */
export interface RecordingKind {
  readonly type: string
  readonly ending: string
}

const OGG: RecordingKind = { type: 'audio/ogg;codecs=opus', ending: 'ogg' }

/** Kinds that more browsers play come first. */
const KINDS: readonly RecordingKind[] = [
  { type: 'audio/mp4;codecs=opus', ending: 'm4a' },
  { type: 'audio/mp4', ending: 'm4a' },
  OGG,
  { type: 'audio/webm;codecs=opus', ending: 'webm' },
]

export function canRecord(): boolean {
  return typeof MediaRecorder !== 'undefined' && KINDS.some(isPossible)
}

/** Returns the best supported kind. If none is supported, returns OGG, and the recorder reports the error. */
export function kindHere(): RecordingKind {
  return KINDS.find(isPossible) ?? OGG
}

function isPossible({ type }: RecordingKind): boolean {
  return MediaRecorder.isTypeSupported(type)
}
