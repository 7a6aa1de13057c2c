import type { VoiceStatus, VoiceTarget } from '@foyer/sdk/voice/status'
import { isInVoice } from './phases.ts'

const KEY = 'foyer.voice.left'
/** Longest time between a page and the one that a reload puts in its place, in milliseconds. */
const MAX_RELOAD_MS = 60_000

/** Where a page was in voice when it was left, and how. */
export interface LeftPlace {
  readonly target: VoiceTarget
  readonly mute: boolean
  readonly deaf: boolean
}

/** Keeps for this tab where it is in voice, while the page goes away. */
export function keepLeftPlace(
  storage: Pick<Storage, 'setItem'>,
  { place, phase, selfMute: mute, selfDeaf: deaf }: VoiceStatus,
  now: number,
): void {
  const { room_id, conversation_id } = place ?? {}
  const target = room_id ? { room_id } : { conversation_id }
  if (isInVoice({ phase })) storage.setItem(KEY, JSON.stringify({ target, mute, deaf, left_at: now }))
}

/** Takes it out again: null unless the page was left a moment ago. */
export function takeLeftPlace(
  storage: Pick<Storage, 'getItem' | 'removeItem'>,
  now: number,
): LeftPlace | null {
  const kept = storage.getItem(KEY)
  storage.removeItem(KEY)
  if (kept === null) return null
  const { left_at, ...left }: LeftPlace & { left_at: number } = JSON.parse(kept)
  return now - left_at < MAX_RELOAD_MS ? left : null
}
