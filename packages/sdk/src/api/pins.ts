import type { Message } from '@foyer/protocol/messages'
import { type ChannelAddress, channelPath } from '../channel-path.ts'
import { type CallOptions, path, type Rest } from '../rest.ts'

export class Pins {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Most recently pinned first. */
  list(channel: ChannelAddress, options?: CallOptions): Promise<Message[]> {
    return this.#rest.request({ ...options, method: 'GET', path: `${channelPath(channel)}/pins` })
  }

  /** Pins a message and posts a system message about it. Requires PinMessages. */
  add(channel: ChannelAddress, messageId: string, options?: CallOptions): Promise<void> {
    const where = channelPath(channel) + path`/pins/${messageId}`
    return this.#rest.request({ ...options, method: 'PUT', path: where })
  }

  remove(channel: ChannelAddress, messageId: string, options?: CallOptions): Promise<void> {
    const where = channelPath(channel) + path`/pins/${messageId}`
    return this.#rest.request({ ...options, method: 'DELETE', path: where })
  }
}
