const KEY = 'foyer.collapsed-categories'
/** Category ids kept, more than any space has. The ones collapsed longest ago are dropped first. */
const MAX_KEPT = 1000

/** Returns the ids of the categories collapsed on this device. */
export function collapsedCategories(storage: Pick<Storage, 'getItem'>): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
    return new Set(Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [])
  } catch {
    return new Set()
  }
}

/** Collapses or expands a category. @returns the ids collapsed now, even if they could not be stored */
export function turnCategory(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  categoryId: string,
): ReadonlySet<string> {
  const kept = new Set(collapsedCategories(storage))
  if (!kept.delete(categoryId)) kept.add(categoryId)
  const ids = [...kept].slice(-MAX_KEPT)
  try {
    storage.setItem(KEY, JSON.stringify(ids))
  } catch {
    // The storage is full. The change lasts until the page is closed.
  }
  return new Set(ids)
}
