import type {
  Conversation,
  CreateConversationBody,
  UpdateConversationBody,
} from '@foyer/protocol/conversations'
import { type WithImages, withImages } from '../image-form.ts'
import { type CallOptions, path, type Rest } from '../rest.ts'

export type UpdateConversationFields = WithImages<UpdateConversationBody, 'icon'>

/** Conversations. For their messages, see `Messages` with `{ conversation: id }` instead of a room. */
export class Conversations {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Lists the caller's open conversations, the one with the newest message first. */
  list(options?: CallOptions): Promise<Conversation[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/conversations' })
  }

  /** Creates a group with several users. For a single user, returns the direct conversation, which is created if needed. */
  create(body: CreateConversationBody, options?: CallOptions): Promise<Conversation> {
    return this.#rest.request({ ...options, method: 'POST', path: '/api/conversations', body })
  }

  get(conversationId: string, options?: CallOptions): Promise<Conversation> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/conversations/${conversationId}` })
  }

  /** Changes name, icon and owner of a group. Omitted fields stay unchanged; null clears a field. */
  update(
    conversationId: string,
    fields: UpdateConversationFields,
    options?: CallOptions,
  ): Promise<Conversation> {
    const where = path`/api/conversations/${conversationId}`
    const body = withImages(fields, ['icon'])
    return this.#rest.request({ ...options, method: 'PATCH', path: where, body })
  }

  /** Closes a direct conversation for the caller until the next message; leaves a group. */
  close(conversationId: string, options?: CallOptions): Promise<void> {
    const where = path`/api/conversations/${conversationId}`
    return this.#rest.request({ ...options, method: 'DELETE', path: where })
  }

  addMember(conversationId: string, userId: string, options?: CallOptions): Promise<void> {
    const where = path`/api/conversations/${conversationId}/members/${userId}`
    return this.#rest.request({ ...options, method: 'PUT', path: where })
  }

  /** Removes a member. The owner can remove anyone, other members only themselves. */
  removeMember(conversationId: string, userId: string, options?: CallOptions): Promise<void> {
    const where = path`/api/conversations/${conversationId}/members/${userId}`
    return this.#rest.request({ ...options, method: 'DELETE', path: where })
  }
}
