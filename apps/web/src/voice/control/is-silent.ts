import type { VoiceStatus } from '@foyer/sdk/voice/status'
import type { MicrophoneState } from './microphone.ts'

interface Speaker {
  readonly status: Pick<VoiceStatus, 'selfMute' | 'selfDeaf'>
  readonly microphone: MicrophoneState
}

/** True if the user sends no audio, by choice or because there is no microphone. */
export function isSilent({ status, microphone }: Speaker): boolean {
  return status.selfMute || status.selfDeaf || !['open', 'opening'].includes(microphone)
}
