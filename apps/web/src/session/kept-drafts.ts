import { type Draft, emptyDraft, isEditKey } from '#src/store/draft.ts'
import type { State } from '#src/store/state.ts'
import type { Store } from '#src/store/store.ts'

const KEY = 'foyer.drafts'
/** Maximum number of kept drafts. Edits are dropped first, since people often abandon them, and then the oldest drafts. */
const MAX_DRAFTS = 40
/** Maximum length of all drafts together. Browsers let a page store a few million characters. */
const MAX_CHARACTERS = 400_000
const SAVE_AFTER_MS = 400

type Drafts = Readonly<Record<string, Draft>>

interface KeptDrafts {
  /** Deletes the drafts, so that the next user of a shared computer does not find them. */
  forget(): void
  close(): void
}

interface Surroundings {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'> & {
    localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  }
  /** False once a tab has signed out: then no draft may be kept. */
  readonly isSignedIn: () => boolean
}

/** Keeps the drafts of all tabs across reloads, for the user who wrote them. */
export function keepDrafts(store: Store, { window, isSignedIn }: Surroundings): KeptDrafts {
  const changed = new Set<string>()
  let isRestoring = false
  let due: ReturnType<typeof setTimeout> | undefined
  const save = () => {
    clearTimeout(due)
    due = undefined
    if (isSignedIn()) write(window.localStorage, store.get(), changed)
    changed.clear()
  }
  const flush = () => due !== undefined && save()
  const restore = (userId: string) => {
    isRestoring = true
    store.dispatch('drafts_restored', read(window.localStorage, userId))
    isRestoring = false
  }
  const note = (drafts: Drafts, before: Drafts) => {
    for (const id of new Set([...Object.keys(drafts), ...Object.keys(before)]))
      if (drafts[id] !== before[id]) changed.add(id)
    due ??= setTimeout(save, SAVE_AFTER_MS)
  }
  window.addEventListener('pagehide', flush)
  const unsubscribe = store.api.subscribe((state, before) => {
    if (state.me === null || isRestoring) return
    if (before.me === null) restore(state.me.id)
    else if (state.drafts !== before.drafts) note(state.drafts, before.drafts)
  })
  const close = () => {
    flush()
    window.removeEventListener('pagehide', flush)
    unsubscribe()
  }
  const forget = () => {
    clearTimeout(due)
    due = undefined
    window.localStorage.removeItem(KEY)
  }
  return { forget, close }
}

/** Writes the drafts that changed in this tab, and keeps those of other tabs. */
function write(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  { me, drafts }: State,
  changed: ReadonlySet<string>,
): void {
  if (me === null) return
  const others = Object.entries(read(storage, me.id)).filter(([id]) => !changed.has(id))
  const own = Object.entries(drafts).filter(([id]) => changed.has(id))
  try {
    const kept = bounded(Object.fromEntries([...others, ...own]))
    storage.setItem(KEY, JSON.stringify({ user_id: me.id, drafts: kept }))
  } catch {
    // The storage is full or unavailable. The drafts last as long as the page.
  }
}

/** Returns the newest drafts, as many as there is room for. */
export function bounded(drafts: Drafts): Drafts {
  const begun = Object.entries(drafts).filter(([, draft]) => draft.content !== '' || draft.reply !== null)
  let room = MAX_CHARACTERS
  const kept = begun
    .toSorted(([one], [other]) => Number(isEditKey(other)) - Number(isEditKey(one)))
    .slice(-MAX_DRAFTS)
    .reverse()
    .filter(([, draft]) => {
      room -= JSON.stringify(draft).length
      return room >= 0
    })
  return Object.fromEntries(kept.reverse())
}

export function read(storage: Pick<Storage, 'getItem'>, userId: string): Drafts {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? 'null')
    if (!isRecord(kept) || kept.user_id !== userId || !isRecord(kept.drafts)) return {}
    return Object.fromEntries(Object.entries(kept.drafts).flatMap(([id, value]) => draftOf(id, value)))
  } catch {
    return {}
  }
}

/** Reads a stored draft, which another version of this client may have written. */
function draftOf(id: string, value: unknown): [string, Draft][] {
  if (!isRecord(value) || typeof value.content !== 'string') return []
  const named = isRecord(value.named) ? Object.entries(value.named) : []
  const texts = named.filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  return [
    [
      id,
      { ...emptyDraft, content: value.content, named: Object.fromEntries(texts), ...replyOf(value.reply) },
    ],
  ]
}

function replyOf(value: unknown): Partial<Draft> {
  if (!isRecord(value)) return {}
  const { id, author_id, name, words, mentions } = value
  const isText = [id, author_id, name, words].every((part) => typeof part === 'string')
  if (!isText) return {}
  return {
    reply: {
      id: String(id),
      author_id: String(author_id),
      name: String(name),
      words: String(words),
      mentions: mentions !== false,
    },
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
