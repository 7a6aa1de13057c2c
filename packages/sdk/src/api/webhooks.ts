import type { Message } from '@foyer/protocol/messages'
import type {
  CreateWebhookBody,
  ExecuteWebhookBody,
  UpdateWebhookBody,
  Webhook,
} from '@foyer/protocol/webhooks'
import { type WithImages, withImages } from '../image-form.ts'
import { type CallOptions, path, type Rest } from '../rest.ts'

export type UpdateWebhookFields = WithImages<UpdateWebhookBody, 'avatar'>

/** With ManageSpaceWebhooks, but for `execute`, which needs the webhook's token alone. */
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

  /** Omitted fields keep; null removes the avatar. */
  update(webhookId: string, fields: UpdateWebhookFields, options?: CallOptions): Promise<Webhook> {
    const body = withImages(fields, ['avatar'])
    return this.#rest.request({ ...options, method: 'PATCH', path: path`/api/webhooks/${webhookId}`, body })
  }

  delete(webhookId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: path`/api/webhooks/${webhookId}` })
  }

  /** Posts under the webhook's name, or another. */
  execute(
    webhook: Pick<Webhook, 'id' | 'token'>,
    body: ExecuteWebhookBody,
    options?: CallOptions,
  ): Promise<Message> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: path`/api/webhooks/${webhook.id}/${webhook.token ?? ''}`,
      query: { wait: true },
      body,
      anonymous: true,
    })
  }
}
