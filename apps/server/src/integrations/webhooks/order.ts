import type { ExecuteWebhookBody } from '@foyer/protocol/webhooks'
import type { Turns } from '#src/kernel/database/turns.ts'
import type { SpooledFile } from '#src/kernel/http/bodies/multipart.ts'
import type { SendDeps } from '#src/messages/writing.ts'
import type { WebhookPictures } from './pictures.ts'

export interface ExecutionDeps extends SendDeps {
  webhookPictures: WebhookPictures
  /** One queue per owner of spaces. */
  webhookTurns: Turns
}

export interface PlannedPost {
  /** The forum. If the webhook has left it before the post begins, the post is refused. */
  readonly roomId: string
  readonly title: string
  readonly tags: readonly string[]
}

export interface Order {
  body: ExecuteWebhookBody
  files?: readonly SpooledFile[]
  /** Set for GitHub's deliveries only. A message with the same nonce is posted once within 24 hours. */
  nonce?: string | undefined
  /** The post that begins with the message, in the forum of the webhook. */
  post?: PlannedPost | undefined
  /** A thread of the room, or the first message of a chain of replies, to post in. */
  threadId?: string | undefined
}
