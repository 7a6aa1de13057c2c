import { channelOfDraft, type Draft, type DraftChange, emptyDraft } from './draft.ts'
import type { State } from './state.ts'

export function withDraft(state: State, { channel_id, ...change }: DraftChange): State {
  const draft = { ...(state.drafts[channel_id] ?? emptyDraft), ...change }
  return { ...state, drafts: { ...state.drafts, [channel_id]: draft } }
}

/** The state with what was kept of an earlier session; what was written since then is newer. */
export function withRestoredDrafts(state: State, kept: Readonly<Record<string, Draft>>): State {
  const known = Object.entries(kept).filter(([key]) => {
    const id = channelOfDraft(key)
    return id in state.rooms || id in state.conversations
  })
  return { ...state, drafts: { ...Object.fromEntries(known), ...state.drafts } }
}
