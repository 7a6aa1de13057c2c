import type {
  AutomodAction,
  AutomodMode,
  AutomodRule,
  AutomodSource,
  AutomodTrigger,
  AutomodTriggerType,
} from '@foyer/protocol/automod'
import { joined } from '#src/language/formats.ts'
import { counted, t } from '#src/language/texts.ts'
import { formatDuration } from '#src/ui/time/duration.ts'

export const modeTexts: Readonly<Record<AutomodMode, string>> = {
  on: t('On'),
  test: t('Testing'),
  off: t('Off'),
}

export const actionTexts: Readonly<Record<AutomodAction, string>> = {
  refuse: t('Refuse it'),
  hold: t('Hold it for review'),
}

/** Names of the sources of a hit. */
export const sourceTexts: Readonly<Record<AutomodSource, string>> = {
  message: t('Message'),
  edit: t('Edited message'),
  webhook: t('Webhook message'),
  bot_answer: t('Bot response'),
  nickname: t('Nickname'),
  display_name: t('Display name'),
  status: t('Custom status'),
  room_name: t('Room name'),
}

type Describe = (trigger: AutomodTrigger) => string

const descriptions: Readonly<Record<AutomodTriggerType, Describe>> = {
  words: ({ words = [] }) =>
    counted(words.length, 'Catches {count} word or phrase', 'Catches {count} words and phrases'),
  links,
  invites: () => t('Catches invites to other spaces'),
  mentions: ({ max = 0 }) =>
    counted(
      max,
      'Catches messages with more than {count} mention',
      'Catches messages with more than {count} mentions',
    ),
  repeats: ({ count = 0, seconds = 0 }) =>
    counted(
      count,
      'Catches the same text {count} time within {time}',
      'Catches the same text {count} times within {time}',
      { time: formatDuration(seconds) },
    ),
  capitals: ({ percent = 0, min_letters = 0 }) =>
    counted(
      min_letters,
      'Catches texts of {count} letter or more with at least {percent}% capitals',
      'Catches texts of {count} letters or more with at least {percent}% capitals',
      { percent },
    ),
  new_accounts: ({ hours = 0 }) =>
    t('Catches messages from accounts younger than {time}', { time: formatDuration(hours * 3600) }),
  attachments: ({ content_types = [], sha256 = [] }) =>
    t('Catches {files}', { files: joined([fileTypes(content_types), knownFiles(sha256)].flat()) }),
}

/** Returns a sentence about the trigger of a rule. */
export function triggerText(trigger: AutomodTrigger): string {
  return descriptions[trigger.type](trigger)
}

/** Lists the consequences of a rule. */
export function consequenceTexts(
  { action, alert_room_id, timeout_minutes }: AutomodRule,
  nameOfRoom: (roomId: string) => string,
): string[] {
  return [
    action === 'hold' ? t('Holds it for review') : t('Refuses it'),
    ...(alert_room_id === null
      ? []
      : [t('notifies moderators in {room}', { room: nameOfRoom(alert_room_id) })]),
    ...(timeout_minutes === null
      ? []
      : [t('times out for {time}', { time: formatDuration(timeout_minutes * 60) })]),
  ]
}

function links({ list, hosts = [] }: AutomodTrigger): string {
  if (list === 'deny')
    return counted(hosts.length, 'Catches links to {count} host', 'Catches links to {count} hosts')
  if (hosts.length === 0) return t('Catches all links')
  return counted(
    hosts.length,
    'Catches links except to {count} host',
    'Catches links except to {count} hosts',
  )
}

function fileTypes(types: readonly string[]): string[] {
  return types.length === 0 ? [] : [counted(types.length, '{count} type of file', '{count} types of files')]
}

function knownFiles(hashes: readonly string[]): string[] {
  return hashes.length === 0 ? [] : [counted(hashes.length, '{count} known file', '{count} known files')]
}
