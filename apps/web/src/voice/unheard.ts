import type { VoiceStatus } from '@foyer/sdk/voice/status'
import type { MicrophoneState } from './microphone.ts'

interface Speaker {
  readonly status: Pick<VoiceStatus, 'selfMute' | 'selfDeaf'>
  readonly microphone: MicrophoneState
}

/** Whether nothing of one is sent, by one's own choice or for want of a microphone. */
export function isUnheard({ status, microphone }: Speaker): boolean {
  return status.selfMute || status.selfDeaf || !['open', 'opening'].includes(microphone)
}
