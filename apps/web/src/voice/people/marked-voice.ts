import type { VoiceState } from '@foyer/protocol/voice'

/** The flags that others see as marks. */
export type MarkedVoice = Pick<
  VoiceState,
  'mute' | 'deaf' | 'self_mute' | 'self_deaf' | 'self_video' | 'self_stream'
>
