import type { Member } from '@foyer/protocol/members'
import type { User } from '@foyer/protocol/users'
import { idTime } from '#src/kernel/ids.ts'
import type { MessageRow } from './rows.ts'

/** A webhook as its messages name it: it may be called, and look, otherwise in each. */
export interface WebhookAuthor {
  id: string
  name: string
  avatar: string | null
}

/** Who a message is by: as it is shown, and what they are if they are no person. */
export interface Author {
  user: User
  /** In the space of the room. */
  member: Member | null
  webhook?: WebhookAuthor
  applicationId?: string
}

/** A webhook as the author of a message. It is no user, and made to look like one. */
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

/** The webhook that a row's message is by; undefined for what people and bots say. */
export function webhookOf({ webhook_id, author_name, author_avatar }: MessageRow): User | undefined {
  if (webhook_id === null) return undefined
  return userOfWebhook({ id: webhook_id, name: author_name ?? '', avatar: author_avatar })
}
