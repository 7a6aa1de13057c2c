import type { ListMentionsQuery, MentionsPage } from '@foyer/protocol/mentions-page'
import type { CallOptions, Rest } from '../rest.ts'

/** Mentions of the caller. Only for people. */
export class Mentions {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /**
   * Lists mentions of the caller, of their roles and of everyone, in all spaces and conversations, newest first. A page
   * may be shorter than its limit. While `has_more` is true, pass `cursor` as `before` for the next page.
   */
  list(query: ListMentionsQuery = {}, options?: CallOptions): Promise<MentionsPage> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/users/@me/mentions', query })
  }
}
