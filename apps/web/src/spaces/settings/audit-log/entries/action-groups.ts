import type { AuditAction } from '@foyer/protocol/audit-actions'
import { t } from '#src/language/texts.ts'

/** Actions under a heading, with their names. */
export interface ActionGroup {
  readonly label: string
  readonly options: readonly (readonly [action: AuditAction, label: string])[]
}

/** All actions, in display order. */
export const actionGroups: readonly ActionGroup[] = [
  {
    label: t('Members'),
    options: [
      ['member_join', t('Member joined')],
      ['member_leave', t('Member left')],
      ['member_kick', t('Member kicked')],
      ['ban_create', t('Member banned')],
      ['ban_delete', t('Member unbanned')],
      ['appeal_refuse', t('Appeal refused')],
      ['report_close', t('Report decided')],
      ['timeout_create', t('Member timed out')],
      ['timeout_delete', t('Timeout removed')],
      ['member_update', t('Nickname changed')],
      ['member_voice', t('Muted, deafened or moved in voice')],
      ['bot_add', t('Bot added')],
      ['bot_remove', t('Bot removed')],
    ],
  },
  {
    label: t('Door'),
    options: [
      ['door_update', t('Door closed, opened or changed')],
      ['newcomers_let_in', t('Newcomers let in')],
      ['newcomers_remove', t('Newcomers removed')],
    ],
  },
  {
    label: t('Roles and permissions'),
    options: [
      ['role_create', t('Role created')],
      ['role_update', t('Role changed')],
      ['role_delete', t('Role deleted')],
      ['role_assign', t('Role given')],
      ['role_remove', t('Role removed')],
      ['group_role_create', t('Role given to a sign-in group')],
      ['group_role_update', t('Role of a sign-in group taken over')],
      ['group_role_delete', t('Role taken from a sign-in group')],
      ['overwrite_update', t('Room permissions changed')],
      ['overwrite_delete', t('Room permissions removed')],
    ],
  },
  {
    label: t('Rooms'),
    options: [
      ['room_create', t('Room created')],
      ['room_update', t('Room changed')],
      ['room_delete', t('Room deleted')],
      ['web_room_open', t('Room made readable on the web')],
      ['web_room_update', t('Room on the web changed')],
      ['web_room_close', t('Room taken off the web')],
    ],
  },
  {
    label: t('Messages'),
    options: [
      ['message_delete', t('Message deleted')],
      ['message_bulk_delete', t('Several messages deleted')],
      ['message_update', t('Link previews changed')],
      ['message_pin', t('Message pinned')],
      ['message_unpin', t('Message unpinned')],
      ['reaction_remove', t('Reaction removed')],
      ['reaction_clear', t('All reactions removed')],
    ],
  },
  {
    label: t('Threads and posts'),
    options: [
      ['thread_update', t('Thread or post changed')],
      ['thread_delete', t('Thread or post deleted')],
      ['thread_move', t('Messages moved into a thread or post')],
      ['thread_merge', t('Thread or post merged')],
    ],
  },
  {
    label: t('AutoMod'),
    options: [
      ['automod_rule_create', t('AutoMod rule added')],
      ['automod_rule_update', t('AutoMod rule changed')],
      ['automod_rule_delete', t('AutoMod rule deleted')],
      ['automod_refuse', t('Refused by AutoMod')],
      ['automod_hold', t('Held for review')],
      ['held_message_approve', t('Held message posted')],
      ['held_message_reject', t('Held message discarded')],
    ],
  },
  {
    label: t('Invites'),
    options: [
      ['invite_create', t('Invite created')],
      ['invite_delete', t('Invite revoked')],
    ],
  },
  {
    label: t('Space'),
    options: [
      ['space_create', t('Space created')],
      ['space_update', t('Settings changed')],
      ['space_transfer', t('Owner changed')],
      ['space_export', t('Space exported')],
    ],
  },
  {
    label: t('Webhooks'),
    options: [
      ['webhook_create', t('Webhook created')],
      ['webhook_update', t('Webhook changed')],
      ['webhook_delete', t('Webhook deleted')],
    ],
  },
  {
    label: t('Emoji and stickers'),
    options: [
      ['emoji_create', t('Emoji added')],
      ['emoji_update', t('Emoji renamed')],
      ['emoji_delete', t('Emoji deleted')],
      ['sticker_create', t('Sticker added')],
      ['sticker_update', t('Sticker renamed')],
      ['sticker_delete', t('Sticker deleted')],
    ],
  },
  {
    label: t('Storage and files'),
    options: [
      ['bucket_create', t('Storage added')],
      ['bucket_update', t('Storage changed')],
      ['bucket_delete', t('Storage deleted')],
      ['attachment_delete', t('File deleted')],
      ['attachment_clear', t('All files deleted')],
    ],
  },
]
