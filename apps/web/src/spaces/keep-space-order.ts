import type { Store } from '#src/store/store.ts'

const KEY = 'foyer.space-order'

/** The part of `window` used here, so that tests can pass a fake. */
type PageWindow = Pick<Window, 'addEventListener' | 'removeEventListener'> & {
  localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

/** Saves the user's order of spaces per account, and syncs it between tabs. */
export function keepSpaceOrder(store: Store, window: PageWindow) {
  const { localStorage } = window
  const restore = (userId: string) => store.dispatch('spaces_ordered', read(localStorage, userId))
  const onStorage = ({ key }: StorageEvent) => {
    const { me } = store.get()
    if (key === KEY && me !== null) restore(me.id)
  }
  const unsubscribe = store.api.subscribe(({ me, spaceOrder }, before) => {
    if (me === null) return
    if (me.id !== before.me?.id) restore(me.id)
    else if (spaceOrder !== before.spaceOrder && spaceOrder.length > 0) write(localStorage, me.id, spaceOrder)
  })
  window.addEventListener('storage', onStorage)
  return {
    forget: () => localStorage.removeItem(KEY),
    close: () => {
      window.removeEventListener('storage', onStorage)
      unsubscribe()
    },
  }
}

function write(storage: Pick<Storage, 'setItem'>, user_id: string, ids: readonly string[]): void {
  try {
    storage.setItem(KEY, JSON.stringify({ user_id, ids }))
  } catch {
    // Storage is full or blocked: the order lasts until the page is closed.
  }
}

/** Validates the stored value: another version of the client may have written it. */
function read(storage: Pick<Storage, 'getItem'>, userId: string): string[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? 'null')
    const isOwn = typeof kept === 'object' && kept !== null && 'user_id' in kept && kept.user_id === userId
    const ids: unknown = isOwn && 'ids' in kept ? kept.ids : []
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}
