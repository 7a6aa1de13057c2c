import type { ListReactionsQuery } from '@foyer/protocol/reactions'
import type { User } from '@foyer/protocol/users'
import { type ChannelAddress, channelPath } from '../channel-path.ts'
import { type CallOptions, path, type Rest } from '../rest.ts'

/** A message, identified by its channel and its id. */
export interface MessageAddress {
  channel: ChannelAddress
  id: string
}

/** Reactions to messages. An emoji is a Unicode emoji, or the id of a space's emoji. */
export class Reactions {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  add(message: MessageAddress, emoji: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'PUT', path: reactionPath(message, emoji) })
  }

  /** Removes the caller's own reaction. */
  remove(message: MessageAddress, emoji: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: reactionPath(message, emoji) })
  }

  /** Removes another user's reaction. Needs ManageMessages. */
  removeOf(message: MessageAddress, emoji: string, userId: string, options?: CallOptions): Promise<void> {
    const where = reactionPath(message, emoji) + path`/${userId}`
    return this.#rest.request({ ...options, method: 'DELETE', path: where })
  }

  /** Removes all reactions of the message. Needs ManageMessages. */
  clear(message: MessageAddress, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: reactionsPath(message) })
  }

  /** Lists the users who reacted with the emoji, in the order of their ids. */
  list(
    message: MessageAddress,
    emoji: string,
    query: ListReactionsQuery = {},
    options?: CallOptions,
  ): Promise<User[]> {
    return this.#rest.request({ ...options, method: 'GET', path: reactionPath(message, emoji), query })
  }
}

function reactionsPath({ channel, id }: MessageAddress): string {
  return channelPath(channel) + path`/messages/${id}/reactions`
}

function reactionPath(message: MessageAddress, emoji: string): string {
  return reactionsPath(message) + path`/${emoji}`
}
