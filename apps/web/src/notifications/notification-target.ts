import type { NotificationLevel, NotificationScope } from '@foyer/protocol/notifications'
import { t } from '#src/language/texts.ts'

/** A space, room or conversation with its own notification settings. */
export interface NotificationTarget {
  readonly scope: NotificationScope
  readonly id: string
  /** The displayed name, which begins with `#` for a text room. */
  readonly name: string
}

export const levelWords: Readonly<Record<NotificationLevel, string>> = {
  all: t('All messages'),
  mentions: t('Mentions only'),
  none: t('Nothing'),
}
