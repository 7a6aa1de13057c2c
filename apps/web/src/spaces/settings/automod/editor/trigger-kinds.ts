import type { AutomodTriggerType } from '@foyer/protocol/automod'
import { t } from '#src/language/texts.ts'

interface TriggerKind {
  readonly label: string
  readonly description: string
}

/** The types of triggers in display order. */
export const triggerKinds: Readonly<Record<AutomodTriggerType, TriggerKind>> = {
  words: { label: t('Words and phrases'), description: t('Texts with words from your list') },
  links: { label: t('Links'), description: t('Links to hosts that you don’t allow') },
  invites: { label: t('Invites'), description: t('Invites to other spaces') },
  mentions: { label: t('Mentions'), description: t('Messages that mention many people and roles') },
  repeats: { label: t('Repeated text'), description: t('The same text, sent again and again') },
  capitals: { label: t('Capitals'), description: t('Texts written mostly in capitals') },
  new_accounts: { label: t('New accounts'), description: t('Everything that new accounts write') },
  attachments: { label: t('Files'), description: t('Certain file types, and known files') },
}

export const triggerTypes: readonly AutomodTriggerType[] = [
  'words',
  'links',
  'invites',
  'mentions',
  'repeats',
  'capitals',
  'new_accounts',
  'attachments',
]
