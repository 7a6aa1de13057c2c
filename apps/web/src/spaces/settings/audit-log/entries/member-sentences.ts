import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import { t } from '#src/language/texts.ts'
import { changedOnly } from './changed-fields.ts'
import type { Sentences } from './sentence-table.ts'

/** Sentences about members, bots and invites. */
export const memberSentences = {
  member_join: ({ after }) =>
    typeof after?.invite_id === 'string' ? t('{target} joined with an invite') : t('{target} joined'),
  member_leave: () => t('{target} left the space'),
  member_kick: () => t('{actor} kicked {target}'),
  member_update: nicknameSentence,
  member_voice: voiceSentence,
  timeout_create: (entry) =>
    wasTimedOut(entry)
      ? t('{actor} changed {target}’s timeout: until {until}')
      : t('{actor} timed out {target} until {until}'),
  timeout_delete: () => t('{actor} removed {target}’s timeout'),
  ban_create: ({ before }) =>
    before === null ? t('{actor} banned {target}') : t('{actor} changed the ban of {target}'),
  ban_delete: () => t('{actor} unbanned {target}'),
  appeal_refuse: () => t('{actor} refused {target}’s appeal'),
  report_close: () => t('{actor} decided on a report'),
  bot_add: () => t('{actor} added the bot {target}'),
  bot_remove: () => t('{actor} removed the bot {target}'),
  invite_create: () => t('{actor} created an invite to {room}'),
  invite_delete: ({ before, actor_id }) =>
    before?.inviter_id === actor_id
      ? t('{actor} revoked their invite to {room}')
      : t('{actor} revoked an invite by {person} to {room}'),
} satisfies Partial<Sentences>

/** Returns true if the member was timed out when the entry's change began. */
export function wasTimedOut({ before, created_at }: AuditLogEntry): boolean {
  return typeof before?.until === 'string' && before.until > created_at
}

function nicknameSentence({ actor_id, target_id, after }: AuditLogEntry): string {
  const isOwn = actor_id === target_id
  if (typeof after?.nickname === 'string')
    return isOwn
      ? t('{actor} changed their nickname to {nickname}')
      : t('{actor} changed the nickname of {target} to {nickname}')
  return isOwn ? t('{actor} removed their nickname') : t('{actor} removed the nickname of {target}')
}

function voiceSentence(entry: AuditLogEntry): string {
  const { after } = entry
  if (changedOnly(entry, 'mute'))
    return after?.mute === true
      ? t('{actor} muted {target} in voice')
      : t('{actor} unmuted {target} in voice')
  if (changedOnly(entry, 'deaf'))
    return after?.deaf === true
      ? t('{actor} deafened {target} in voice')
      : t('{actor} undeafened {target} in voice')
  if (changedOnly(entry, 'room_id'))
    return typeof after?.room_id === 'string'
      ? t('{actor} moved {target} to {room}')
      : t('{actor} disconnected {target} from voice')
  return t('{actor} changed the voice state of {target}')
}
