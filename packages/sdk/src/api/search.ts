import type {
  MessageSearchResponse,
  SearchConversationQuery,
  SearchMessagesQuery,
} from '@foyer/protocol/search'
import { type CallOptions, path, type Rest } from '../rest.ts'

/** Search for messages. Only for people. */
export class Search {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Searches the rooms of the space that the caller can view, newest first. Needs a text or a filter. */
  space(spaceId: string, query: SearchMessagesQuery, options?: CallOptions): Promise<MessageSearchResponse> {
    const where = path`/api/spaces/${spaceId}/messages/search`
    return this.#rest.request({ ...options, method: 'GET', path: where, query })
  }

  conversation(
    conversationId: string,
    query: SearchConversationQuery,
    options?: CallOptions,
  ): Promise<MessageSearchResponse> {
    const where = path`/api/conversations/${conversationId}/messages/search`
    return this.#rest.request({ ...options, method: 'GET', path: where, query })
  }
}
