import type { VoiceStatus } from '@foyer/sdk/voice/status'
import { t } from '#src/language/texts.ts'

/** Whether one is in a room or call, or on the way there. */
export function isInVoice({ phase }: Pick<VoiceStatus, 'phase'>): boolean {
  return phase !== 'idle' && phase !== 'failed'
}

/** Where one is, in words for people. */
export function phaseWords({ phase }: Pick<VoiceStatus, 'phase'>): string {
  return words[phase]
}

/** The id of the room or conversation that one is in; undefined for none. */
export function placeId({ place }: Pick<VoiceStatus, 'place'>): string | undefined {
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
