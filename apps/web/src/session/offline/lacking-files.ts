import type { Uploads } from '#src/attachments/transfer/uploads.ts'
import { counted } from '#src/language/texts.ts'
import type { State } from '#src/store/state.ts'
import type { Store } from '#src/store/store.ts'
import { serverNow } from '#src/ui/time/server-clock.ts'
import { isLacking, type OnItsWay, readOutbox, type Unsent } from './kept-outbox.ts'

interface Parts {
  readonly store: Store
  readonly uploads: Pick<Uploads, 'restore' | 'expire'>
  readonly window: Window
}

/** Nonces of messages whose lock this page has requested. */
const claimed = new Set<string>()

/** Keeps other tabs from showing messages as not sent while this page uploads their files. */
export function claim(store: Store, { outbox, uploads }: OnItsWay): void {
  for (const { nonce, upload_ids } of Object.values(outbox).flat()) {
    const isStored = upload_ids.every((id) => uploads[id]?.progress.kind === 'stored')
    if (!isStored && !claimed.has(nonce)) void own(nonce, () => untilSettled(store, nonce))
  }
}

/** Shows a message as not sent if its files were lost with their page, once that page is gone. */
export function adopt(parts: Parts, { message: { nonce } }: Unsent): void {
  if (!claimed.has(nonce)) void own(nonce, () => show(parts, nonce))
}

/**
 * Runs the work while this page holds the message's lock. The next page gets the lock when this one closes. Pages served
 * without TLS have no locks: there, every tab shows the message until one of them has sent it.
 */
async function own(nonce: string, work: () => Promise<void>): Promise<void> {
  claimed.add(nonce)
  const locks: LockManager | undefined = navigator.locks
  await (locks === undefined ? work() : locks.request(`foyer.unsent:${nonce}`, work)).finally(() =>
    claimed.delete(nonce),
  )
}

async function show({ store, uploads, window }: Parts, nonce: string): Promise<void> {
  const { me, outbox } = store.get()
  // The previous page may have sent the message, or stored all of its files.
  const kept = readOutbox(window.localStorage, me?.id ?? '', serverNow()).find(
    (unsent) => unsent.message.nonce === nonce && isLacking(unsent),
  )
  if (kept === undefined || isQueued(outbox, nonce)) return
  const upload_ids = uploads.restore(kept.message.channel, kept.files)
  const lost = upload_ids.filter((_id, place) => kept.files[place]?.attachment_id === '')
  uploads.expire(lost)
  const error = counted(
    lost.length,
    'The file didn’t finish uploading before the page closed.',
    '{count} files didn’t finish uploading before the page closed.',
  )
  store.dispatch('message_queued', { ...kept.message, upload_ids, status: 'failed', error })
  await untilSettled(store, nonce)
}

/** Resolves when the message is sent or deleted. */
function untilSettled({ api, get }: Store, nonce: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = ({ outbox }: Pick<State, 'outbox'>) => isQueued(outbox, nonce) || resolve()
  const stop = api.subscribe(look)
  look(get())
  return promise.finally(stop)
}

function isQueued(outbox: State['outbox'], nonce: string): boolean {
  return Object.values(outbox)
    .flat()
    .some((message) => message.nonce === nonce)
}
