import type {
  CreateMessageBody,
  ListMessagesQuery,
  Message,
  UpdateMessageBody,
} from '@foyer/protocol/messages'
import { type CallOptions, path, type Rest } from '../rest.ts'

export class Messages {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Sends a message once, however often it takes: the nonce, random unless given, tells a repeat. */
  create(roomId: string, body: CreateMessageBody, options?: CallOptions): Promise<Message> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: path`/api/rooms/${roomId}/messages`,
      body: { ...body, nonce: body.nonce ?? randomNonce() },
      idempotent: true,
    })
  }

  /**
   * The same with files in the request, all of them together less than 32 MiB: see `uploadFile` for larger ones.
   * @param files named by themselves when they are `File`s
   */
  createWithFiles(
    roomId: string,
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
      path: path`/api/rooms/${roomId}/messages`,
      body: form,
      idempotent: true,
    })
  }

  /** Newest first. */
  list(roomId: string, query: ListMessagesQuery = {}, options?: CallOptions): Promise<Message[]> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: path`/api/rooms/${roomId}/messages`,
      query,
    })
  }

  get(roomId: string, messageId: string, options?: CallOptions): Promise<Message> {
    return this.#rest.request({ ...options, method: 'GET', path: messagePath(roomId, messageId) })
  }

  update(
    roomId: string,
    messageId: string,
    body: UpdateMessageBody,
    options?: CallOptions,
  ): Promise<Message> {
    return this.#rest.request({ ...options, method: 'PATCH', path: messagePath(roomId, messageId), body })
  }

  delete(roomId: string, messageId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: messagePath(roomId, messageId) })
  }

  /** Moves the read state to this message, also backwards. */
  ack(roomId: string, messageId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: `${messagePath(roomId, messageId)}/ack`,
      idempotent: true,
    })
  }

  /** Tells the room; at most once in 2 seconds, more often changes nothing. */
  typing(roomId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'POST', path: path`/api/rooms/${roomId}/typing` })
  }

  /** Tells the room; at most once in 2 seconds, more often changes nothing. */
  recording(roomId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'POST', path: path`/api/rooms/${roomId}/recording` })
  }
}

function messagePath(roomId: string, messageId: string): string {
  return path`/api/rooms/${roomId}/messages/${messageId}`
}

/** Not `crypto.randomUUID`, which browsers withhold from pages served without TLS. */
function randomNonce(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
