import { type Draft, type DraftChange, emptyDraft } from './draft.ts'
import { type State, without } from './state.ts'

export function withDraft(state: State, { channel_id, ...change }: DraftChange): State {
  const draft = { ...(state.drafts[channel_id] ?? emptyDraft), ...change }
  return { ...state, drafts: { ...state.drafts, [channel_id]: draft } }
}

export function withoutDraft(state: State, { channel_id }: { channel_id: string }): State {
  return { ...state, drafts: without(state.drafts, channel_id) }
}

/** The state without anything that was begun or not sent in a channel: it was deleted, and does not come back. */
export function withoutUnsent(state: State, { channel_id }: { channel_id: string }): State {
  const isElsewhere = (key: string) => key !== channel_id && !key.startsWith(`${channel_id} `)
  const drafts = Object.entries(state.drafts).filter(([key]) => isElsewhere(key))
  return { ...state, drafts: Object.fromEntries(drafts), outbox: without(state.outbox, channel_id) }
}

/**
 * The state with what was kept of an earlier session; what was written since then is newer. A channel may be out of sight
 * just now, and come back.
 */
export function withRestoredDrafts(state: State, kept: Readonly<Record<string, Draft>>): State {
  return { ...state, drafts: { ...kept, ...state.drafts } }
}
