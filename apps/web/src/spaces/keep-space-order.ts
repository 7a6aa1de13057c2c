import type { Store } from '#src/store/store.ts'

const KEY = 'foyer.space-order'

/** What it needs of the page. */
type Surroundings = Pick<Window, 'addEventListener' | 'removeEventListener'> & {
  localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

/** Keeps the order that somebody gave their spaces over a reload, for them alone, and in their other tabs. */
export function keepSpaceOrder(store: Store, window: Surroundings) {
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
    // Full, or withheld: then it lives as long as the page.
  }
}

/** What another version of this client kept may look otherwise. */
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
