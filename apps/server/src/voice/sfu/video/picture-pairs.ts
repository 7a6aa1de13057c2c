import { VOICE_SLOTS } from '@foyer/protocol/voice'
import type { PicturePublisher } from './picture-publisher.ts'

/**
 * A pair is one slot for sound and one for pictures, which a browser plays in time. A voice and a camera of one user are in one
 * pair, where there is room: the picture with the index of the voice. The pictures after those of voices are for screens, and
 * their pairs are with the sounds of screens.
 */
export function pairOfSound(slot: number): number {
  return VOICE_SLOTS + slot
}

/** A user in a slot for sound. */
export interface SlotVoice {
  readonly userId: string
  readonly isSpeaking: boolean
}

/** Order in which a free slot is taken: the lowest first. At 0, it is the one that belongs to it. */
export type SlotRank<T> = (item: T, slot: number) => number

/** A camera does not move later, because that takes a key frame. A voice can come to it when both its slots are silent. */
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

/** @param shown the pictures in the slots */
export function rankForSound(shown: readonly (PicturePublisher | undefined)[]): SlotRank<PicturePublisher> {
  return (picture, slot) => {
    const beside = shown[pairOfSound(slot)]
    if (beside === picture) return 0
    return beside === undefined ? 1 : 2
  }
}
