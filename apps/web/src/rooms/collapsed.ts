const KEY = 'foyer.collapsed-categories'
/** More than any space has; the longest ago collapsed go first. */
const MAX_KEPT = 1000

/** The categories that are folded up on this device. */
export function collapsedCategories(storage: Pick<Storage, 'getItem'>): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
    return new Set(Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [])
  } catch {
    return new Set()
  }
}

/** Folds one up, or down. @returns those that are folded then, whether or not they could be kept */
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
    // The storage is full: it holds until the page is left.
  }
  return new Set(ids)
}
