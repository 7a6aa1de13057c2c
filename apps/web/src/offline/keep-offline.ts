import type { Gateway } from '@foyer/sdk/gateway'
import { buildOf } from '#src/session/build.ts'
import type { State } from '#src/store/state.ts'
import type { Store } from '#src/store/store.ts'
import { serverNow } from '#src/ui/server-clock.ts'
import { forgetOutbox, readOutbox, settledNonce, writeOutbox } from './kept-outbox.ts'
import { forgetPlaces, readPlaces, writePlaces } from './kept-places.ts'

interface Parts {
  readonly store: Store
  readonly gateway: Pick<Gateway, 'onState' | 'state'>
  readonly window: Window
  /** The tokens may be gone since: another tab signed out, and nothing is to be left. */
  readonly isSignedIn: () => boolean
  /** Sends what waits. */
  readonly resend: () => void
}

interface KeptOffline {
  /** Nobody finds on a shared computer where somebody was, and what they wrote. */
  forget(): void
  close(): void
}

/** Lets the app be opened without a server, and sends what was not sent when there is one again. */
export function keepOffline({ store, gateway, window, isSignedIn, resend }: Parts): KeptOffline {
  const { localStorage } = window
  const build = buildOf(window.document)

  const save = () => isSignedIn() && writePlaces(localStorage, store.get(), build)
  const heard = (event: StorageEvent) => {
    const nonce = settledNonce(event)
    if (nonce !== null) discard(store, nonce)
  }
  const follow = (state: State, before: State) => {
    if (state.me === null) return
    if (before.me === null) restore(store, state.me.id, localStorage, resend)
    else if (state.outbox !== before.outbox && isSignedIn()) writeOutbox(localStorage, state, before)
  }

  const stops = [
    store.api.subscribe(follow),
    gateway.onState((state) => {
      if (state === 'reconnecting' && store.get().me === null) open(store, localStorage, build)
    }),
    listen(window, 'pagehide', save),
    listen(window.document, 'visibilitychange', save),
    listenToStorage(window, heard),
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

/** Where one was before, until the server says what is there now. */
function open(store: Store, storage: Storage, build: string): void {
  const places = readPlaces(storage, build)
  if (places !== null) store.dispatch('places_restored', places)
}

function restore(store: Store, userId: string, storage: Storage, resend: () => void): void {
  const messages = readOutbox(storage, userId, serverNow())
  for (const message of messages) store.dispatch('message_queued', message)
  if (messages.length > 0 && store.get().connection === 'ready') resend()
}

/** What is under way here, too, is found to be there already. */
function discard(store: Store, nonce: string): void {
  for (const [channel_id, messages] of Object.entries(store.get().outbox)) {
    const isWaiting = messages.some((message) => message.nonce === nonce && message.status !== 'sending')
    if (isWaiting) store.dispatch('message_discarded', { channel_id, nonce })
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
