import type { Session } from '#src/session/session.ts'
import type { State } from '#src/store/state.ts'
import type { FileUpload, UploadsState } from './upload-state.ts'

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
    store.api.subscribe(({ outbox }, before) => outbox !== before.outbox && update()),
  ]
  return () => {
    for (const stop of stops) stop()
    stopAsking()
  }
}

/** Whether files would be lost if the page was left now: those of drafts, and those that messages wait for. */
export function losesFiles({ uploads, drafts }: UploadsState, { outbox }: Pick<State, 'outbox'>): boolean {
  const isAnyDrafted = Object.values(drafts).some((ids) => ids.length > 0)
  const sent = Object.values(outbox).flatMap((messages) => messages.flatMap(({ upload_ids }) => upload_ids))
  return isAnyDrafted || sent.some((id) => isOnlyHere(uploads[id]))
}

/** A message whose files are elsewhere is kept over a reload. */
function isOnlyHere(upload: FileUpload | undefined): boolean {
  return upload !== undefined && !['stored', 'swept'].includes(upload.progress.kind)
}
