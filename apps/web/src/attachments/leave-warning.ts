import type { Session } from '#src/session/session.ts'
import { channelIdOf } from '#src/store/channels.ts'
import type { State } from '#src/store/state.ts'
import type { FileUpload, UploadsState } from './upload-state.ts'

/** What of the state decides it. */
const concerning = ['outbox', 'rooms', 'conversations'] as const
type Concerning = (typeof concerning)[number]

/** Has the browser ask before the page is left. Returns how to stop. */
export function askBeforeLeaving(): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  window.addEventListener('beforeunload', ask)
  return () => window.removeEventListener('beforeunload', ask)
}

/** Has it ask while files would be lost, wherever in the client one is. Returns how to stop. */
export function warnOfLeaving({ store, uploads }: Pick<Session, 'store' | 'uploads'>): () => void {
  let stopAsking = () => {}
  // Only while there is something to lose: with a listener, browsers keep no page for going back to.
  const update = () => {
    stopAsking()
    stopAsking = losesFiles(uploads.api.getState(), store.get()) ? askBeforeLeaving() : () => {}
  }
  const stops = [
    uploads.api.subscribe(update),
    store.api.subscribe(
      (state, before) => concerning.some((name) => state[name] !== before[name]) && update(),
    ),
  ]
  return () => {
    for (const stop of stops) stop()
    stopAsking()
  }
}

/**
 * Whether files would be lost if the page was left now: those of drafts, and those that messages wait for. What is for a
 * channel out of sight, which may be gone for good, nobody could do anything about.
 */
export function losesFiles({ uploads, drafts }: UploadsState, state: Pick<State, Concerning>): boolean {
  const { outbox, rooms, conversations } = state
  const inSight = Object.values(uploads).filter(({ channel }) => {
    const channelId = channelIdOf(channel)
    return channelId in rooms || channelId in conversations
  })
  const drafted = new Set(Object.values(drafts).flat())
  const sent = new Set(
    Object.values(outbox).flatMap((messages) => messages.flatMap((message) => message.upload_ids)),
  )
  return inSight.some((upload) => drafted.has(upload.id) || (sent.has(upload.id) && isOnlyHere(upload)))
}

/** A message whose files are elsewhere is kept over a reload. */
function isOnlyHere({ progress }: FileUpload): boolean {
  return !['stored', 'swept'].includes(progress.kind)
}
