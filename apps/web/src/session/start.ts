import { CloseCode } from '@foyer/protocol/gateway'
import type { ChosenStatus } from '@foyer/protocol/presence'
import { Client } from '@foyer/sdk/client'
import type { RateLimitWait } from '@foyer/sdk/rate-limit'
import type { Tokens } from '@foyer/sdk/rest'
import { uploadFile } from '@foyer/sdk/uploads'
import { warnOfLeaving } from '#src/attachments/leave-warning.ts'
import { SignedUrls } from '#src/attachments/signed-urls.ts'
import { Uploads } from '#src/attachments/uploads.ts'
import { openAt } from '#src/messages/opening.ts'
import { forgetUnsent, resendWaiting, stopResending } from '#src/messages/send.ts'
import { forgetDevice } from '#src/notifications/forget-device.ts'
import { keepOffline } from '#src/offline/keep-offline.ts'
import { forgetPlaces } from '#src/offline/kept-places.ts'
import { keepPresence } from '#src/presence/keep-presence.ts'
import { keepSpaceOrder } from '#src/spaces/keep-space-order.ts'
import { createAppStore, type Store } from '#src/store/store.ts'
import { nextFrame } from '#src/ui/next-frame.ts'
import { adjustServerClock, serverNow } from '#src/ui/server-clock.ts'
import { countGained } from '#src/unread/count-gained.ts'
import { startVoice } from '#src/voice/start-voice.ts'
import { keepDrafts } from './kept-drafts.ts'
import { Login } from './login.ts'
import type { Session } from './session.ts'
import type { TokenStorage } from './tokens.ts'

interface SessionOptions {
  storage: TokenStorage
  baseUrl: string
  /** The tokens that the browser keeps may be others now: then it is time for another session. */
  onLogin: () => void
}

/** A session on the tokens that the browser holds; it connects by itself when there are any. */
export function startSession({ storage, baseUrl, onLogin }: SessionOptions): Session {
  const login = new Login(storage)
  const client = clientOf({ baseUrl, login, store: () => store, onTokens: changeTokens })
  const uploads = uploadsOf(client)
  const store = createAppStore(nextFrame, serverNow)
  const stopWarning = warnOfLeaving({ store, uploads })
  const voice = startVoice(client.gateway, store)
  const activity = new BroadcastChannel('foyer.activity')
  const presence = keepPresence((status) => sayPresence(client, store, status), { window, activity })
  const session = {
    client,
    login,
    store,
    uploads,
    presence,
    signedUrls: new SignedUrls(async (attachmentId) => (await client.attachments.resign(attachmentId)).url),
    voice,
    close: () => {
      stopWarning()
      voice.close()
      kept.close()
      presence.close()
      uploads.close()
      client.gateway.close()
    },
  }
  const kept = keepWork(session)

  function changeTokens(next: Tokens | null) {
    if (next !== null) login.save(next)
    else signOut(session, kept.forget)
    onLogin()
  }
  listen(session)
  client.gateway.onState((_state, reason) => {
    if (reason === null || reason.code === CloseCode.UnknownVersion) return
    login.end()
    if (login.isLast) forgetPlaces(window.localStorage)
    onLogin()
  })
  if (login.id !== null) connect(session)
  return session
}

/** Once there are tokens: after signing in or up, and on a reload. */
export function connect({ client, store, login }: Session): void {
  // Another tab signed in meanwhile, and there is another session.
  if (!login.isLast) return
  store.dispatch('signed_in', null)
  client.gateway.connect()
}

/** Nobody waits for a request that only says what somebody is doing. */
const UNNOTICED = /\/(?:ack|typing)$/
/** Shorter waits are over before anybody has read about them. */
const WORTH_SAYING_MS = 3_000

function saySlowed(store: Store, { path, waitMs }: RateLimitWait): void {
  if (waitMs < WORTH_SAYING_MS || UNNOTICED.test(path)) return
  store.dispatch('slowed_down', serverNow() + waitMs)
}

interface ClientParts {
  baseUrl: string
  login: Login
  onTokens: (tokens: Tokens | null) => void
  store: () => Store
}

function clientOf({ baseUrl, login, store, onTokens }: ClientParts): Client {
  const tokens = login.load()
  return new Client({
    baseUrl,
    ...(tokens === null ? {} : { tokens }),
    onTokens,
    loadTokens: () => login.load(),
    // Where somebody forbade them, all tokens live as long as the page.
    cookies: navigator.cookieEnabled,
    refreshLock: oneTabAtATime,
    // Somebody is looking at it: no longer than they have patience.
    gatewayTimings: { maxDelayMs: 8_000 },
    onRateLimitWait: (wait) => saySlowed(store(), wait),
  })
}

/** What is kept is for who was signed in; somebody else may be since, in another tab. */
function signOut({ login, presence }: Session, forgetWork: () => void): void {
  login.end()
  if (!login.isLast) return
  forgetWork()
  presence.forget()
  forgetDevice().catch(() => undefined)
}

/** What is there again after a reload, with a server or without: it is for who was signed in, and goes when they sign out. */
function keepWork(session: Session) {
  const { client, store, uploads, login } = session
  const isSignedIn = () => login.load() !== null
  const drafts = keepDrafts(store, { window, isSignedIn })
  const offline = keepOffline({
    store,
    uploads,
    gateway: client.gateway,
    window,
    isSignedIn,
    resend: () => resendWaiting(session),
  })
  const order = keepSpaceOrder(store, window)
  return {
    forget: () => {
      drafts.forget()
      order.forget()
      offline.forget()
    },
    close: () => {
      drafts.close()
      order.close()
      offline.close()
      stopResending(session)
    },
  }
}

/** The server publishes the change to the user's other connections only. */
function sayPresence(client: Client, store: Store, status: ChosenStatus): void {
  const { me } = store.get()
  if (me !== null) store.receive('PRESENCE_UPDATE', { user_id: me.id, status, custom: null })
  client.gateway.setPresence({ status })
}

function uploadsOf(client: Client): Uploads {
  return new Uploads({
    upload: (channel, file, options) => uploadFile(client, channel, file, options),
    cancel: (channel, attachmentId) => client.attachments.cancel(channel, attachmentId),
    measure: async (file, preview) => {
      const module = await import('#src/attachments/measure.ts').catch(() => undefined)
      return module?.measure(file, preview) ?? null
    },
  })
}

function listen(session: Session): void {
  const { client, store, uploads } = session
  client.gateway.onAny((name, data) => {
    if (name === 'READY' && 'server_time' in data) adjustServerClock(String(data.server_time))
    store.receive(name, data)
  })
  client.gateway.on('READY', () => openAt(session, window.location.pathname))
  client.gateway.on('ROOM_CREATE', (room) => {
    // Without an answer it counts what comes.
    if (room.last_seq > 0) countGained(session, room.id).catch(() => undefined)
  })
  client.gateway.on('ROOM_DELETE', ({ room_id }, { s }) => {
    // Without a place in the journal it went out of sight alone.
    if (s !== undefined) forgetUnsent(session, room_id)
  })
  client.gateway.onState((state) => {
    store.dispatch('connection_changed', state)
    if (state === 'ready') resendWaiting(session)
  })
  store.api.subscribe(({ rooms, conversations }, before) => {
    if (rooms === before.rooms && conversations === before.conversations) return
    uploads.sendWithin((channelId) => channelId in rooms || channelId in conversations)
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
