import { MAX_BULK_DELETE } from '@foyer/protocol/limits'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { useSession } from '#src/session/context.ts'
import type { Session } from '#src/session/session.ts'

/** Messages of one channel selected to be deleted or moved; null if selection is off. */
interface Selection {
  readonly channelId: string
  readonly ids: readonly string[]
}

const sessions = new WeakMap<Session, StoreApi<Selection | null>>()

function selectionOf(session: Session): StoreApi<Selection | null> {
  const known = sessions.get(session) ?? createStore<Selection | null>(() => null)
  sessions.set(session, known)
  return known
}

/** Returns the ids selected in a channel; null if selection is off there. */
export function useSelection(channelId: string): readonly string[] | null {
  return useStore(selectionOf(useSession()), (now) => (now?.channelId === channelId ? now.ids : null))
}

export function startSelection(session: Session, channelId: string, id: string): void {
  selectionOf(session).setState({ channelId, ids: [id] }, true)
}

/** Selects or deselects a message. */
export function toggleSelected(session: Session, id: string): void {
  selectionOf(session).setState((now) => now && { ...now, ids: toggled(now.ids, id) }, true)
}

export function endSelection(session: Session): void {
  selectionOf(session).setState(null, true)
}

/** Adds the id, up to the limit of a bulk deletion, or removes it if it is already among the ids. */
export function toggled(ids: readonly string[], id: string): readonly string[] {
  if (ids.includes(id)) return ids.filter((other) => other !== id)
  return ids.length < MAX_BULK_DELETE ? [...ids, id] : ids
}
