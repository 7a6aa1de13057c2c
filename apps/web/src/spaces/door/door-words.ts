import type { Door } from '@foyer/protocol/door'
import { counted, t } from '#src/language/texts.ts'

/** Returns the reason and the author of a closed door, or that it is open. */
export function doorSentence(
  { closed_at, cause }: Pick<Door, 'closed_at' | 'cause'>,
  closer: string | null,
): string {
  if (closed_at === null) return t('The door is open.')
  if (cause === 'joins') return t('The door closed by itself: many people joined within a minute.')
  if (cause === 'messages') return t('The door closed by itself: new members wrote many messages at once.')
  return closer === null ? t('The door is closed.') : t('{name} closed the door.', { name: closer })
}

/** Returns how many people wait at a door; undefined if no one does and it is open. */
export function waitingSentence({
  closed_at,
  newcomers,
}: Pick<Door, 'closed_at' | 'newcomers'>): string | undefined {
  if (closed_at === null && newcomers === 0) return undefined
  if (closed_at === null)
    return counted(newcomers, '{count} person is still waiting.', '{count} people are still waiting.')
  if (newcomers === 0) return t('No one is waiting.')
  return counted(newcomers, '{count} person is waiting.', '{count} people are waiting.')
}
