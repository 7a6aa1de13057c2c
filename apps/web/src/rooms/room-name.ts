import type { Room } from '@foyer/protocol/rooms'
import { t } from '#src/language/texts.ts'

/** What a room is called: its name may have been cleared. */
export function roomName({ name }: Pick<Room, 'name'>): string {
  return name === '' ? t('untitled') : name
}
