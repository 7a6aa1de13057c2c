import type { CreateMessageBody, Message } from '@foyer/protocol/messages'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { Client } from '@foyer/sdk/client'
import type { RateLimit } from '@foyer/sdk/rate-limit'
import type { CallOptions } from '@foyer/sdk/rest'
import { Uploads } from '#src/attachments/transfer/uploads.ts'
import { sampleMessage, sampleReady, sampleUser } from '#src/store/samples.ts'
import { createAppStore } from '#src/store/store.ts'

/** Creates a session for tests, whose server and storage respond on command. */
export function startSender() {
  const client = new Client({ baseUrl: 'http://localhost' })
  const store = createAppStore((show) => show())
  store.receive('READY', sampleReady())
  const bodies: CreateMessageBody[] = []
  const limits: ((limit: RateLimit) => void)[] = []
  const answers: { resolve: () => void; reject: (error: Error) => void }[] = []
  client.messages.create = (_channel: ChannelAddress, body: CreateMessageBody, options?: CallOptions) => {
    const { promise, resolve, reject } = Promise.withResolvers<Message>()
    bodies.push(body)
    limits.push(options?.onRateLimit ?? (() => undefined))
    const message = sampleMessage(bodies.length, { author: sampleUser('me'), nonce: body.nonce ?? null })
    answers.push({ resolve: () => resolve(message), reject })
    options?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
    return promise
  }
  const files: { resolve: (attachmentId: string) => void; reject: (error: Error) => void }[] = []
  const uploads = new Uploads({
    upload: () => {
      const { promise, ...file } = Promise.withResolvers<string>()
      files.push(file)
      return promise
    },
    cancel: async () => undefined,
    measure: async () => null,
  })
  return {
    session: { client, store, uploads },
    answers,
    limits,
    bodies,
    files,
    sent: () => bodies.map((body) => body.content),
    nonces: () => bodies.map((body) => body.nonce),
    outbox: () => (store.get().outbox.room ?? []).map((message) => `${message.content} ${message.status}`),
  }
}
