import type { VoiceStatus, VoiceTarget } from '@foyer/sdk/voice/status'
import { isInVoice } from './phases.ts'

const KEY = 'foyer.voice.left'
/** Longest time between leaving a page and its reload, in milliseconds. */
const MAX_RELOAD_MS = 60_000

/** The room or call that a page was in when it was left, and whether the user was muted or deafened. */
export interface LeftVoice {
  readonly target: VoiceTarget
  readonly mute: boolean
  readonly deaf: boolean
}

/** Stores the room or call of this tab while its page is being left. */
export function keepLeftVoice(
  storage: Pick<Storage, 'setItem'>,
  { place, phase, selfMute: mute, selfDeaf: deaf }: VoiceStatus,
  now: number,
): void {
  const { room_id, conversation_id } = place ?? {}
  const target = room_id ? { room_id } : { conversation_id }
  if (isInVoice({ phase })) storage.setItem(KEY, JSON.stringify({ target, mute, deaf, left_at: now }))
}

/** Returns and removes the stored room or call. Null unless the page was left just before. */
export function takeLeftVoice(
  storage: Pick<Storage, 'getItem' | 'removeItem'>,
  now: number,
): LeftVoice | null {
  const kept = storage.getItem(KEY)
  storage.removeItem(KEY)
  if (kept === null) return null
  const { left_at, ...left }: LeftVoice & { left_at: number } = JSON.parse(kept)
  return now - left_at < MAX_RELOAD_MS ? left : null
}
