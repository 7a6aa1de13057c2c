import type {
  CreateMessageBody,
  ListMessagesQuery,
  ListRepliesQuery,
  Message,
  MessageReference,
  ReadState,
  UpdateMessageBody,
} from '@foyer/protocol/messages'
import { type ChannelAddress, channelPath } from '../channel-path.ts'
import { randomNonce } from '../nonce.ts'
import { type CallOptions, path, type Rest } from '../rest.ts'

/** Messages of rooms and conversations: a room is addressed by its id, a conversation by `{ conversation: id }`. */
export class Messages {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Sends a message exactly once, even if the request is retried: the nonce, random by default, identifies repeats. */
  create(channel: ChannelAddress, body: CreateMessageBody, options?: CallOptions): Promise<Message> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: `${channelPath(channel)}/messages`,
      body: { ...body, nonce: body.nonce ?? randomNonce() },
      idempotent: true,
    })
  }

  /**
   * Creates a message with files in the request, less than 32 MiB in total: see `uploadFile` for larger ones.
   * @param files files; a `Blob` without a name is sent as `blob`
   */
  createWithFiles(
    channel: ChannelAddress,
    body: CreateMessageBody,
    files: readonly Blob[],
    options?: CallOptions,
  ): Promise<Message> {
    const form = new FormData()
    form.append('payload_json', JSON.stringify({ ...body, nonce: body.nonce ?? randomNonce() }))
    for (const file of files) form.append('files', file)
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: `${channelPath(channel)}/messages`,
      body: form,
      idempotent: true,
    })
  }

  /** Returns the original of a forward; 404 if it was deleted, or the caller may not view it. */
  origin(channel: ChannelAddress, messageId: string, options?: CallOptions): Promise<MessageReference> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: `${channelPath(channel)}${path`/messages/${messageId}/origin`}`,
    })
  }

  /** Newest first. */
  list(channel: ChannelAddress, query: ListMessagesQuery = {}, options?: CallOptions): Promise<Message[]> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: `${channelPath(channel)}/messages`,
      query,
    })
  }

  /**
   * Lists the replies of a thread, oldest first, even if its first message was deleted.
   * @param query by default, lists from the first reply; with a `before` greater than all ids, lists the newest replies
   */
  replies(
    channel: ChannelAddress,
    messageId: string,
    query: ListRepliesQuery = {},
    options?: CallOptions,
  ): Promise<Message[]> {
    const where = `${messagePath(channel, messageId)}/replies`
    return this.#rest.request({ ...options, method: 'GET', path: where, query })
  }

  get(channel: ChannelAddress, messageId: string, options?: CallOptions): Promise<Message> {
    return this.#rest.request({ ...options, method: 'GET', path: messagePath(channel, messageId) })
  }

  update(
    channel: ChannelAddress,
    messageId: string,
    body: UpdateMessageBody,
    options?: CallOptions,
  ): Promise<Message> {
    return this.#rest.request({ ...options, method: 'PATCH', path: messagePath(channel, messageId), body })
  }

  delete(channel: ChannelAddress, messageId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: messagePath(channel, messageId) })
  }

  /** Deletes up to 100 messages. Needs ManageMessages. */
  bulkDelete(channel: ChannelAddress, ids: readonly string[], options?: CallOptions): Promise<void> {
    const where = `${channelPath(channel)}/messages/bulk-delete`
    return this.#rest.request({ ...options, method: 'POST', path: where, body: { ids }, idempotent: true })
  }

  /** Moves the read state to this message, also backwards. */
  ack(channel: ChannelAddress, messageId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: `${messagePath(channel, messageId)}/ack`,
      idempotent: true,
    })
  }

  /** Returns the caller's read position, and the number of unread messages. */
  readState(channel: ChannelAddress, options?: CallOptions): Promise<ReadState> {
    return this.#rest.request({ ...options, method: 'GET', path: `${channelPath(channel)}/read-state` })
  }

  /** Shows others that the user is typing. Call it at most every 2 seconds. */
  typing(channel: ChannelAddress, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'POST', path: `${channelPath(channel)}/typing` })
  }

  /** Shows others that the user is recording. Call it at most every 2 seconds. */
  recording(channel: ChannelAddress, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'POST', path: `${channelPath(channel)}/recording` })
  }
}

function messagePath(channel: ChannelAddress, messageId: string): string {
  return channelPath(channel) + path`/messages/${messageId}`
}
