import { type Draft, type DraftChange, emptyDraft } from './draft.ts'
import { type State, without } from './state.ts'

export function withDraft(state: State, { channel_id, ...change }: DraftChange): State {
  const draft = { ...(state.drafts[channel_id] ?? emptyDraft), ...change }
  return { ...state, drafts: { ...state.drafts, [channel_id]: draft } }
}

export function withoutDraft(state: State, { channel_id }: { channel_id: string }): State {
  return { ...state, drafts: without(state.drafts, channel_id) }
}

/** Removes drafts and queued messages of a deleted channel, including those of its threads. */
export function withoutUnsent(state: State, { channel_id }: { channel_id: string }): State {
  const isElsewhere = (key: string) => key !== channel_id && !key.startsWith(`${channel_id} `)
  const drafts = Object.entries(state.drafts).filter(([key]) => isElsewhere(key))
  return { ...state, drafts: Object.fromEntries(drafts), outbox: without(state.outbox, channel_id) }
}

/**
 * Restores drafts of an earlier session. Drafts written since are newer and stay. Drafts of unknown channels are kept,
 * because the user may regain access.
 */
export function withRestoredDrafts(state: State, kept: Readonly<Record<string, Draft>>): State {
  return { ...state, drafts: { ...kept, ...state.drafts } }
}
