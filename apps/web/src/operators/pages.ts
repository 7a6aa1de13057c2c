/** The part of a list that is loaded. */
export interface LoadedPages<T> {
  readonly items: readonly T[]
  /** Number of pages. */
  readonly count: number
  readonly isComplete: boolean
}

/** @param size items of a full page */
export function pagesOf<T>(page: readonly T[], size: number): LoadedPages<T> {
  return { items: page, count: 1, isComplete: page.length < size }
}

export function withNextPage<T>(pages: LoadedPages<T>, page: readonly T[], size: number): LoadedPages<T> {
  return { items: [...pages.items, ...page], count: pages.count + 1, isComplete: page.length < size }
}
