import { MAX_MESSAGE_FILES } from '@foyer/protocol/limits'
import type { Uploads } from '../transfer/uploads.ts'

/** Moves the uploads of a cancelled message to the front of a draft, as many as still exist and fit. */
export function giveBack(uploads: Uploads, ids: readonly string[], draftKey: string): void {
  const { uploads: held, drafts } = uploads.api.getState()
  const begun = drafts[draftKey] ?? []
  const left = ids.filter((id) => id in held && held[id]?.progress.kind !== 'swept')
  const returned = left.slice(0, Math.max(0, MAX_MESSAGE_FILES - begun.length))
  uploads.api.setState({ drafts: { ...drafts, [draftKey]: [...returned, ...begun] } })
  uploads.discard(ids.filter((id) => !returned.includes(id)))
}
