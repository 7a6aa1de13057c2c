import { VOICE_SLOTS } from '@foyer/protocol/voice'
import type { PicturePublisher } from './picture-publisher.ts'

/**
 * Returns the pair of a slot for a screen's audio. A pair is an audio slot and a picture slot, which browsers play in sync. Each
 * of the first VOICE_SLOTS pairs is for the voice and the camera of one user, if possible. The pairs after them are for a screen
 * and its audio.
 */
export function pairOfSound(slot: number): number {
  return VOICE_SLOTS + slot
}

/** The user in a voice slot. */
export interface SlotVoice {
  readonly userId: string
  readonly isSpeaking: boolean
}

/** Ranks a free slot for an item, which takes the slot with the lowest rank. The slot with rank 0 belongs to the item. */
export type SlotRank<T> = (item: T, slot: number) => number

/** Ranks picture slots. A camera never moves, because a move takes a key frame. Its voice moves beside it instead. */
export function rankForPicture(voices: readonly (SlotVoice | undefined)[]): SlotRank<PicturePublisher> {
  return ({ userId, source }, slot) => {
    const isOfScreens = slot >= VOICE_SLOTS
    const voice = voices[slot]
    if (source === 'screen') return isOfScreens ? 0 : (voice === undefined ? 2 : 3) - slot / VOICE_SLOTS
    if (isOfScreens) return 4
    if (voice === undefined) return 1
    if (voice.userId === userId) return 0
    return voice.isSpeaking ? 3 : 2
  }
}

/** Ranks the slots for the audio of screens. @param shown the pictures in the picture slots */
export function rankForSound(shown: readonly (PicturePublisher | undefined)[]): SlotRank<PicturePublisher> {
  return (picture, slot) => {
    const beside = shown[pairOfSound(slot)]
    if (beside === picture) return 0
    return beside === undefined ? 1 : 2
  }
}
