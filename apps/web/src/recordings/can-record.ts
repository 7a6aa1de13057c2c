/** How a recording is encoded, and how such a file's name ends. */
export interface RecordingKind {
  readonly type: string
  readonly ending: string
}

const OGG: RecordingKind = { type: 'audio/ogg;codecs=opus', ending: 'ogg' }

/** What the most browsers play comes first. */
const KINDS: readonly RecordingKind[] = [
  { type: 'audio/mp4;codecs=opus', ending: 'm4a' },
  { type: 'audio/mp4', ending: 'm4a' },
  OGG,
  { type: 'audio/webm;codecs=opus', ending: 'webm' },
]

export function canRecord(): boolean {
  return typeof MediaRecorder !== 'undefined' && KINDS.some(isPossible)
}

/** Where nothing can be recorded, the browser says so of whatever is asked. */
export function kindHere(): RecordingKind {
  return KINDS.find(isPossible) ?? OGG
}

function isPossible({ type }: RecordingKind): boolean {
  return MediaRecorder.isTypeSupported(type)
}
