import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import type { MarkedVoice } from './marked-voice.ts'

const ShownMarks = lazyPopup(() => import('./shown-marks.tsx').then((module) => module.ShownMarks))

/** Marks a user as muted, deafened or live. Most users have no mark, so the code of the marks loads later. */
export function VoiceMarks({ voice }: { voice: MarkedVoice }) {
  const { mute, deaf, self_mute, self_deaf, self_video, self_stream } = voice
  const isMarked = mute || deaf || self_mute || self_deaf || self_video || self_stream
  return isMarked ? <ShownMarks voice={voice} /> : null
}
