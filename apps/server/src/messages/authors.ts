import type { Member } from '@foyer/protocol/members'
import type { User } from '@foyer/protocol/users'
import { idTime } from '#src/kernel/ids.ts'
import type { MessageRow } from './rows.ts'

/** A webhook as an author. Each of its messages may show another name and avatar. */
export interface WebhookAuthor {
  id: string
  name: string
  avatar: string | null
}

/** The author of a message. */
export interface Author {
  user: User
  /** The author's membership of the room's space. */
  member: Member | null
  webhook?: WebhookAuthor
  applicationId?: string
}

/** Makes a webhook the author of a message. It is not an account, but is shown like one. */
export function authorOfWebhook(webhook: WebhookAuthor): Author {
  return { user: userOfWebhook(webhook), member: null, webhook }
}

function userOfWebhook({ id, name, avatar }: WebhookAuthor): User {
  const created = new Date(idTime(id)).toISOString()
  return {
    id,
    username: name,
    alias: null,
    avatar,
    banner: null,
    custom: '',
    flags: 0,
    badges: 0,
    is_bot: true,
    email_verified: false,
    created_at: created,
    updated_at: created,
    deleted_at: null,
  }
}

/** Returns the webhook that posted a row's message; undefined for people and bots. */
export function webhookOf({ webhook_id, author_name, author_avatar }: MessageRow): User | undefined {
  if (webhook_id === null) return undefined
  return userOfWebhook({ id: webhook_id, name: author_name ?? '', avatar: author_avatar })
}
