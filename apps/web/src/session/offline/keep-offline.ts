import type { Gateway } from '@foyer/sdk/gateway'
import type { Uploads } from '#src/attachments/transfer/uploads.ts'
import type { State } from '#src/store/state.ts'
import type { Store } from '#src/store/store.ts'
import { fetchedSoon } from '#src/ui/loading/lazy-popup.tsx'
import { serverNow } from '#src/ui/time/server-clock.ts'
import { buildOf } from '../build.ts'
import {
  forgetOutbox,
  isLacking,
  type OnItsWay,
  readOutbox,
  settledNonce,
  writeOutbox,
} from './kept-outbox.ts'
import { forgetPlaces, readPlaces, writePlaces } from './kept-places.ts'

const fetchLacking = fetchedSoon(() => import('./lacking-files.ts').catch(() => null))

interface Parts {
  readonly store: Store
  readonly uploads: Pick<Uploads, 'api' | 'restore' | 'settle' | 'expire'>
  readonly gateway: Pick<Gateway, 'onState' | 'state'>
  readonly window: Window
  /** False once another tab has signed out. Nothing must be stored then. */
  readonly isSignedIn: () => boolean
  /** Sends the waiting messages. */
  readonly resend: () => void
}

interface KeptOffline {
  /** Deletes everything stored, so that the next user of a shared computer finds nothing. */
  forget(): void
  close(): void
}

/** Lets the app open without a server, and sends unsent messages once the server is back. */
export function keepOffline(parts: Parts): KeptOffline {
  const { store, uploads, gateway, window, isSignedIn } = parts
  const { localStorage } = window
  let written = onItsWay(parts)
  const build = buildOf(window.document)

  const save = () => isSignedIn() && writePlaces(localStorage, store.get(), build)
  const onStorage = (event: StorageEvent) => {
    const nonce = settledNonce(event)
    if (nonce !== null) discard(parts, nonce)
  }
  const write = () => {
    const before = written
    written = onItsWay(parts)
    // The previous outbox belonged to no one or to another user.
    if (before.me?.id !== written.me?.id) return
    const isChanged = written.outbox !== before.outbox || written.uploads !== before.uploads
    if (!isChanged || !isSignedIn()) return
    writeOutbox(localStorage, written, before)
    if (Object.keys(written.uploads).length > 0)
      void fetchLacking().then((lacking) => lacking?.claim(store, written))
  }
  const follow = (state: State, before: State) => {
    if (state.me === null) return
    if (before.me === null) restore(parts, state.me.id)
    write()
  }

  const stops = [
    store.api.subscribe(follow),
    uploads.api.subscribe(write),
    gateway.onState((state) => {
      if (state === 'reconnecting' && store.get().me === null) open(store, localStorage, build)
    }),
    listen(window, 'pagehide', save),
    listen(window.document, 'visibilitychange', save),
    listenToStorage(window, onStorage),
  ]
  return {
    forget: () => {
      forgetPlaces(localStorage)
      forgetOutbox(localStorage)
    },
    close: () => {
      for (const stop of stops) stop()
    },
  }
}

/** Restores the last known spaces and rooms until the server sends the current ones. */
function open(store: Store, storage: Storage, build: string): void {
  const places = readPlaces(storage, build)
  if (places !== null) store.dispatch('offline_state_restored', places)
}

function onItsWay({ store, uploads }: Parts): OnItsWay {
  const { me, outbox } = store.get()
  return { me, outbox, uploads: uploads.api.getState().uploads }
}

function restore(parts: Parts, userId: string): void {
  const { store, uploads, window, resend } = parts
  const unsent = readOutbox(window.localStorage, userId, serverNow())
  for (const kept of unsent) {
    const { message, files } = kept
    if (isLacking(kept)) {
      void fetchLacking().then((lacking) => lacking?.adopt(parts, kept))
      continue
    }
    const upload_ids = uploads.restore(message.channel, files)
    store.dispatch('message_queued', { ...message, upload_ids })
  }
  if (unsent.length > 0 && store.get().connection === 'ready') resend()
}

/** Discards a message that another tab has sent or deleted. If this tab is sending the message too, the response removes it. */
function discard({ store, uploads }: Parts, nonce: string): void {
  for (const [channel_id, messages] of Object.entries(store.get().outbox)) {
    const waiting = messages.find((message) => message.nonce === nonce && message.status !== 'sending')
    if (waiting === undefined) continue
    store.dispatch('message_discarded', { channel_id, nonce })
    uploads.settle(waiting.upload_ids)
  }
}

function listen(target: EventTarget, name: string, listener: () => void): () => void {
  target.addEventListener(name, listener)
  return () => target.removeEventListener(name, listener)
}

function listenToStorage(window: Window, listener: (event: StorageEvent) => void): () => void {
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}
