import { CloseCode } from '@foyer/protocol/gateway'
import { Client } from '@foyer/sdk/client'
import { uploadFile } from '@foyer/sdk/uploads'
import { warnOfLeaving } from '#src/attachments/leave-warning.ts'
import { measure } from '#src/attachments/measure.ts'
import { SignedUrls } from '#src/attachments/signed-urls.ts'
import { Uploads } from '#src/attachments/uploads.ts'
import { resendWaiting } from '#src/messages/send.ts'
import { createAppStore } from '#src/store/store.ts'
import { nextFrame } from '#src/ui/next-frame.ts'
import { countGained } from '#src/unread/count-gained.ts'
import { keepDrafts } from './kept-drafts.ts'
import type { Session } from './session.ts'
import type { TokenStorage } from './tokens.ts'

interface SessionOptions {
  storage: TokenStorage
  baseUrl: string
  /** The tokens are gone, or worth nothing any more: time for another session. */
  onEnd: () => void
}

/** A session on the tokens that the browser holds; it connects by itself when there are any. */
export function startSession({ storage, baseUrl, onEnd }: SessionOptions): Session {
  const tokens = storage.load()
  const client = new Client({
    baseUrl,
    ...(tokens === null ? {} : { tokens }),
    onTokens: (next) => {
      storage.save(next)
      if (next !== null) return
      drafts.forget()
      onEnd()
    },
    loadTokens: storage.load,
    refreshLock: oneTabAtATime,
    // Somebody is looking at it: no longer than they have patience.
    gatewayTimings: { maxDelayMs: 8_000 },
  })
  const uploads = uploadsOf(client)
  const stopWarning = warnOfLeaving(uploads)
  const store = createAppStore(nextFrame)
  const drafts = keepDrafts(store, { window })
  const session = {
    client,
    store,
    uploads,
    signedUrls: new SignedUrls(async (attachmentId) => (await client.attachments.resign(attachmentId)).url),
    close: () => {
      stopWarning()
      drafts.close()
      uploads.close()
      client.gateway.close()
    },
  }
  listen(session)
  store.api.subscribe(({ rooms, conversations }, before) => {
    if (rooms === before.rooms && conversations === before.conversations) return
    uploads.keepOnly((channelId) => channelId in rooms || channelId in conversations)
  })
  client.gateway.onState((_state, reason) => {
    if (reason === null || reason.code === CloseCode.UnknownVersion) return
    storage.save(null)
    onEnd()
  })
  if (tokens !== null) connect(session)
  return session
}

/** Once there are tokens: after signing in or up, and on a reload. */
export function connect({ client, store }: Session): void {
  store.dispatch('signed_in', null)
  client.gateway.connect()
}

function uploadsOf(client: Client): Uploads {
  return new Uploads({
    upload: (channel, file, options) => uploadFile(client, channel, file, options),
    cancel: (channel, attachmentId) => client.attachments.cancel(channel, attachmentId),
    measure,
  })
}

function listen(session: Session): void {
  const { client, store } = session
  client.gateway.onAny((name, data) => store.hear(name, data))
  client.gateway.on('ROOM_CREATE', (room) => {
    // Without an answer it counts what comes.
    if (room.last_seq > 0) countGained(session, room.id).catch(() => undefined)
  })
  client.gateway.onState((state) => {
    store.dispatch('connection_changed', state)
    if (state === 'ready') resendWaiting(session)
  })
}

/**
 * A refresh token works once: two tabs that used the same one would end their session. Browsers withhold
 * locks from pages that are served without TLS; there, whoever comes second finds the new tokens or signs in.
 */
function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = navigator.locks
  return locks === undefined ? work() : locks.request('foyer.refresh', work)
}
