import type { VoiceStatus } from '@foyer/sdk/voice/status'
import { t } from '#src/language/texts.ts'

/** True while in a room or call, or joining one. */
export function isInVoice({ phase }: Pick<VoiceStatus, 'phase'>): boolean {
  return phase !== 'idle' && phase !== 'failed'
}

/** Describes the connection phase to the user. */
export function phaseWords({ phase }: Pick<VoiceStatus, 'phase'>): string {
  return words[phase]
}

/** Id of the current room or conversation; undefined if there is none. */
export function voiceChannelId({ place }: Pick<VoiceStatus, 'place'>): string | undefined {
  return place?.room_id ?? place?.conversation_id ?? undefined
}

const words: Readonly<Record<VoiceStatus['phase'], string>> = {
  idle: t('Not connected'),
  joining: t('Joining…'),
  connecting: t('Connecting…'),
  connected: t('Voice connected'),
  reconnecting: t('Reconnecting…'),
  failed: t('Not connected'),
}
