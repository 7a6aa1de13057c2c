import type { NotificationLevel, NotificationScope } from '@foyer/protocol/notifications'
import { t } from '#src/language/texts.ts'

/** What notifications are chosen for. */
export interface NotificationPlace {
  readonly scope: NotificationScope
  readonly id: string
  /** As people read it: a room with its sign. */
  readonly name: string
}

export const levelWords: Readonly<Record<NotificationLevel, string>> = {
  all: t('All messages'),
  mentions: t('Only mentions'),
  none: t('Nothing'),
}
