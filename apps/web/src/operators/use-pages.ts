import { MAX_PAGE } from '@foyer/protocol/limits'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import { useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { useAction } from '#src/ui/fields/use-action.ts'
import { type LoadedPages, pagesOf, withNextPage } from './pages.ts'
import { useReturn } from './use-return.ts'
import { operatorWords } from './words.ts'

/** Requests the page after an item, or the first page. */
export type ReadPage<T> = (
  client: Client,
  last: T | undefined,
  options?: CallOptions,
) => Promise<readonly T[]>

export interface PagedList<T> {
  /** Undefined while loading. Items of the previous list stay until the new ones arrive. */
  readonly items: readonly T[] | undefined
  /** Message, if the list could not be loaded. */
  readonly error: string | null
  again(): void
  /** Null when all pages are loaded. */
  readonly loadMore: (() => void) | null
  readonly isLoadingMore: boolean
  /** Message, if the next page could not be loaded. */
  readonly moreError: string | null
  /** Changes the items, after a request that changed them on the server. */
  change(change: (items: readonly T[]) => readonly T[]): void
}

/**
 * A list in pages. No event reports its changes, so it is read again when the user returns to the window. If more than
 * the first page is loaded, it is not read again, because the rows in view would move.
 * @param read reads a page; a new function loads another list
 */
export function usePages<T>(read: ReadPage<T>): PagedList<T> {
  const { client } = useSession()
  const ask = useCallback(
    async (asked: Client, options: CallOptions) => pagesOf(await read(asked, undefined, options), MAX_PAGE),
    [read],
  )
  const { answer, isOutdated, again, change } = useAnswer(ask, operatorWords)
  const more = useAction(operatorWords)
  const loaded = answer.state === 'here' ? answer.value : undefined
  const mayRefresh = (loaded?.count ?? 0) <= 1
  const refresh = useCallback(() => {
    if (mayRefresh) again()
  }, [mayRefresh, again])
  useReturn(refresh)
  useEvent('READY', refresh)

  function loadMore() {
    const last = loaded?.items.at(-1)
    if (last === undefined) return again()
    more.run(async () => {
      const page = await read(client, last)
      change((pages) => withNextPage(pages, page, MAX_PAGE))
    })
  }

  return {
    items: loaded?.items,
    error: answer.state === 'failed' ? answer.message : null,
    again,
    loadMore: loaded === undefined || loaded.isComplete || isOutdated ? null : loadMore,
    isLoadingMore: more.pending,
    moreError: more.error,
    change: useCallback(
      (changed) => change((pages: LoadedPages<T>) => ({ ...pages, items: changed(pages.items) })),
      [change],
    ),
  }
}
