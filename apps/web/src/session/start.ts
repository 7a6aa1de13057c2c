import { CloseCode } from '@foyer/protocol/gateway'
import { Client } from '@foyer/sdk/client'
import type { RateLimitWait } from '@foyer/sdk/rate-limit'
import type { Tokens } from '@foyer/sdk/rest'
import { uploadFile } from '@foyer/sdk/uploads'
import { SignedUrls } from '#src/attachments/transfer/signed-urls.ts'
import { Uploads } from '#src/attachments/transfer/uploads.ts'
import { warnOfLeaving } from '#src/attachments/uploads/leave-warning.ts'
import { openAt } from '#src/messages/reading/opening.ts'
import { receiveEvent } from '#src/messages/sending/receive-event.ts'
import { resendWaiting, stopResending } from '#src/messages/sending/send.ts'
import { forgetDevice } from '#src/notifications/device/forget-device.ts'
import { watchIdle } from '#src/presence/idle.ts'
import { keepSpaceOrder } from '#src/spaces/keep-space-order.ts'
import { isKnownChannel } from '#src/store/channels.ts'
import { createAppStore, type Store } from '#src/store/store.ts'
import { nextFrame } from '#src/ui/focus/next-frame.ts'
import { adjustServerClock, serverNow } from '#src/ui/time/server-clock.ts'
import { countGained } from '#src/unread/count-gained.ts'
import { startVoice } from '#src/voice/start-voice.ts'
import { connect } from './connect.ts'
import { keepDrafts } from './kept-drafts.ts'
import { Login } from './login.ts'
import { keepOffline } from './offline/keep-offline.ts'
import { forgetPlaces } from './offline/kept-places.ts'
import type { Session } from './session.ts'
import type { TokenStorage } from './tokens.ts'

interface SessionOptions {
  storage: TokenStorage
  baseUrl: string
  /** Called when the stored tokens may have become those of another login, which needs a new session. */
  onLogin: () => void
}

/** Starts a session with the tokens that the browser keeps, and connects if there are any. */
export function startSession({ storage, baseUrl, onLogin }: SessionOptions): Session {
  const login = new Login(storage)
  const client = clientOf({ baseUrl, login, store: () => store, onTokens: changeTokens })
  const uploads = uploadsOf(client)
  const store = createAppStore(nextFrame, serverNow)
  const stopWarning = warnOfLeaving({ store, uploads })
  const voice = startVoice(client.gateway, store)
  const activity = new BroadcastChannel('foyer.activity')
  const stopWatching = watchIdle({ window, activity }, (isIdle) => reportIdle(client, store, isIdle))
  const session = {
    client,
    login,
    store,
    uploads,
    signedUrls: new SignedUrls(async (attachmentId) => (await client.attachments.resign(attachmentId)).url),
    voice,
    close: () => {
      stopWarning()
      voice.close()
      kept.close()
      stopWatching()
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
    if (reason.code === CloseCode.SecondFactorNeeded) return askForSecondFactor()
    login.end()
    if (login.isLast) forgetPlaces(window.localStorage)
    onLogin()
  })
  if (login.id !== null) connect(session)
  return session
}

/** Opens the page for a required second factor. Until the user provides it, the server only answers requests of that page. */
function askForSecondFactor(): void {
  if (window.location.pathname !== '/second-factor') window.location.assign('/second-factor')
}

/** Paths of requests that no user waits for: their rate limits are not shown. */
const UNNOTICED = /\/(?:ack|typing)$/
/** Minimum wait that is shown. Shorter waits end before a user has read about them. */
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
    // Without cookies, all tokens last as long as the page.
    cookies: navigator.cookieEnabled,
    capabilities: ['threads', 'forums'],
    refreshLock: oneTabAtATime,
    // A user is waiting, so the delay between reconnects stays short.
    gatewayTimings: { maxDelayMs: 8_000 },
    onRateLimitWait: (wait) => saySlowed(store(), wait),
  })
}

/** Ends the login and deletes its stored data, unless another user has signed in since in another tab. */
function signOut({ login }: Session, forgetWork: () => void): void {
  login.end()
  if (!login.isLast) return
  forgetWork()
  forgetDevice().catch(() => undefined)
}

/** Keeps drafts, unsent messages, spaces and rooms across reloads, even without a server, until the user signs out. */
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

/** Reports if the user is idle. The server does not dispatch the change to this connection, so the store applies it here. */
function reportIdle(client: Client, store: Store, isIdle: boolean): void {
  const status = isIdle ? 'idle' : 'online'
  const { me, chosenStatus } = store.get()
  if (me !== null && chosenStatus === 'online')
    store.receive('PRESENCE_UPDATE', { user_id: me.id, status, custom: null })
  client.gateway.setPresence({ status })
}

function uploadsOf(client: Client): Uploads {
  return new Uploads({
    upload: (channel, file, options) => uploadFile(client, channel, file, options),
    cancel: (channel, attachmentId) => client.attachments.cancel(channel, attachmentId),
    measure: async (file, preview) => {
      const module = await import('#src/attachments/uploads/measure.ts').catch(() => undefined)
      return module?.measure(file, preview) ?? null
    },
  })
}

function listen(session: Session): void {
  const { client, store, uploads } = session
  client.gateway.onAny((name, data, meta) => {
    if (name === 'READY' && 'server_time' in data) adjustServerClock(String(data.server_time))
    receiveEvent(session, name, data, meta)
  })
  client.gateway.on('READY', () => openAt(session, window.location.pathname))
  client.gateway.on('ROOM_CREATE', (room) => {
    // If the request fails, only messages received from now on are counted.
    if (room.last_seq > 0) countGained(session, room.id).catch(() => undefined)
  })
  client.gateway.onState((state) => {
    store.dispatch('connection_changed', state)
    if (state === 'ready') resendWaiting(session)
  })
  store.api.subscribe((state, before) => {
    const { rooms, threads, conversations } = state
    if (rooms === before.rooms && threads === before.threads && conversations === before.conversations) return
    uploads.sendWithin((channelId) => isKnownChannel(state, channelId))
  })
}

/**
 * Runs one refresh at a time in all tabs, because a refresh token works once. Browsers withhold locks from pages that are
 * served without TLS. There, the server answers a second refresh with the same tokens.
 */
function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = navigator.locks
  return locks === undefined ? work() : locks.request('foyer.refresh', work)
}
