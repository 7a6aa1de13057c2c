import type { Session } from '#src/session/session.ts'
import { channelIdOf, isKnownChannel } from '#src/store/channels.ts'
import type { State } from '#src/store/state.ts'
import type { FileUpload, UploadsState } from '../transfer/upload-state.ts'

/** The parts of the state that decide whether leaving would lose files. */
const relevantKeys = ['outbox', 'rooms', 'threads', 'conversations'] as const
type RelevantKey = (typeof relevantKeys)[number]

/** Makes the browser ask before the user leaves the page. Returns a function that removes the warning. */
export function askBeforeLeaving(): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  window.addEventListener('beforeunload', ask)
  return () => window.removeEventListener('beforeunload', ask)
}

/** Makes the browser ask while leaving would lose files. Returns a function to stop. */
export function warnOfLeaving({ store, uploads }: Pick<Session, 'store' | 'uploads'>): () => void {
  let stopAsking = () => {}
  // Listens only while needed, because the listener keeps the page out of the browser's back/forward cache.
  const update = () => {
    stopAsking()
    stopAsking = losesFiles(uploads.api.getState(), store.get()) ? askBeforeLeaving() : () => {}
  }
  const stops = [
    uploads.api.subscribe(update),
    store.api.subscribe(
      (state, before) => relevantKeys.some((name) => state[name] !== before[name]) && update(),
    ),
  ]
  return () => {
    for (const stop of stops) stop()
    stopAsking()
  }
}

/**
 * Returns true if leaving the page now would lose files of drafts or of queued messages. Files for a channel that is
 * not visible do not count, since the user could not send them.
 */
export function losesFiles({ uploads, drafts }: UploadsState, state: Pick<State, RelevantKey>): boolean {
  const visible = Object.values(uploads).filter(({ channel }) => isKnownChannel(state, channelIdOf(channel)))
  const drafted = new Set(Object.values(drafts).flat())
  const sent = new Set(
    Object.values(state.outbox).flatMap((messages) => messages.flatMap((message) => message.upload_ids)),
  )
  return visible.some((upload) => drafted.has(upload.id) || (sent.has(upload.id) && isOnlyHere(upload)))
}

/** Returns true for a file that only this page has. A queued message survives a reload once its files are stored. */
function isOnlyHere({ progress }: FileUpload): boolean {
  return !['stored', 'swept'].includes(progress.kind)
}
