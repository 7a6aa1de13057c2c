import type { Door } from '@foyer/protocol/door'
import { counted, t } from '#src/language/texts.ts'

/** Returns a sentence about the state of the door: open, or closed by whom or why. */
export function doorSentence(
  { closed_at, cause }: Pick<Door, 'closed_at' | 'cause'>,
  closer: string | null,
): string {
  if (closed_at === null) return t('The door is open.')
  if (cause === 'joins') return t('The door closed by itself: many people joined within a minute.')
  if (cause === 'messages') return t('The door closed by itself: new members wrote many messages at once.')
  return closer === null ? t('The door is closed.') : t('{name} closed the door.', { name: closer })
}

/** Returns a sentence with the number of people waiting; undefined if the door is open and nobody waits. */
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
