import type { Message } from '@foyer/protocol/messages'
import type {
  CreateWebhookBody,
  ExecuteWebhookBody,
  TokenWebhook,
  UpdateTokenWebhookBody,
  UpdateWebhookBody,
  UpdateWebhookMessageBody,
  Webhook,
} from '@foyer/protocol/webhooks'
import { type WithImages, withImages } from '../image-form.ts'
import { type CallOptions, path, type Rest } from '../rest.ts'

export type UpdateWebhookFields = WithImages<UpdateWebhookBody, 'avatar'>

/** The id and token of a webhook. Requests with them need no account. */
export type WebhookKey = Pick<Webhook, 'id' | 'token'>

/** Webhooks. The methods need ManageSpaceWebhooks, except those that take a `WebhookKey`. */
export class Webhooks {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  create(roomId: string, body: CreateWebhookBody, options?: CallOptions): Promise<Webhook> {
    return this.#rest.request({ ...options, method: 'POST', path: path`/api/rooms/${roomId}/webhooks`, body })
  }

  listOfRoom(roomId: string, options?: CallOptions): Promise<Webhook[]> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/rooms/${roomId}/webhooks` })
  }

  listOfSpace(spaceId: string, options?: CallOptions): Promise<Webhook[]> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/spaces/${spaceId}/webhooks` })
  }

  get(webhookId: string, options?: CallOptions): Promise<Webhook> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/webhooks/${webhookId}` })
  }

  /** Omitted fields stay unchanged; null removes the avatar. */
  update(webhookId: string, fields: UpdateWebhookFields, options?: CallOptions): Promise<Webhook> {
    const body = withImages(fields, ['avatar'])
    return this.#rest.request({ ...options, method: 'PATCH', path: path`/api/webhooks/${webhookId}`, body })
  }

  delete(webhookId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: path`/api/webhooks/${webhookId}` })
  }

  /** Posts a message, under the webhook's name or one given in the body. */
  execute(webhook: WebhookKey, body: ExecuteWebhookBody, options?: CallOptions): Promise<Message> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: tokenPath(webhook),
      query: { wait: true },
      body,
      anonymous: true,
    })
  }

  getByToken(webhook: WebhookKey, options?: CallOptions): Promise<TokenWebhook> {
    return this.#rest.request({ ...options, method: 'GET', path: tokenPath(webhook), anonymous: true })
  }

  /** Omitted fields stay unchanged; null removes the avatar. */
  updateByToken(
    webhook: WebhookKey,
    body: UpdateTokenWebhookBody,
    options?: CallOptions,
  ): Promise<TokenWebhook> {
    return this.#rest.request({
      ...options,
      method: 'PATCH',
      path: tokenPath(webhook),
      body,
      anonymous: true,
    })
  }

  deleteByToken(webhook: WebhookKey, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: tokenPath(webhook), anonymous: true })
  }

  /** Returns a message of the webhook. */
  getMessage(webhook: WebhookKey, messageId: string, options?: CallOptions): Promise<Message> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: messagePath(webhook, messageId),
      anonymous: true,
    })
  }

  /** Omitted fields stay unchanged; null clears a field. */
  updateMessage(
    webhook: WebhookKey,
    messageId: string,
    body: UpdateWebhookMessageBody,
    options?: CallOptions,
  ): Promise<Message> {
    return this.#rest.request({
      ...options,
      method: 'PATCH',
      path: messagePath(webhook, messageId),
      body,
      anonymous: true,
    })
  }

  deleteMessage(webhook: WebhookKey, messageId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({
      ...options,
      method: 'DELETE',
      path: messagePath(webhook, messageId),
      anonymous: true,
    })
  }
}

function tokenPath({ id, token }: WebhookKey): string {
  return path`/api/webhooks/${id}/${token ?? ''}`
}

function messagePath(webhook: WebhookKey, messageId: string): string {
  return `${tokenPath(webhook)}${path`/messages/${messageId}`}`
}
