import type { ChosenStatus, PresenceStatus } from '@foyer/protocol/presence'
import { t } from '#src/language/texts.ts'

export const presenceWords: Readonly<Record<PresenceStatus, string>> = {
  online: t('Online'),
  idle: t('Idle'),
  dnd: t('Do not disturb'),
  invisible: t('Invisible'),
  offline: t('Offline'),
}

/** Explanation of a choice, if its name is not enough. */
export const choiceNotes: Readonly<Record<ChosenStatus, string>> = {
  online: '',
  idle: '',
  dnd: t('No calls or sounds'),
  invisible: t('You’ll appear offline'),
}
