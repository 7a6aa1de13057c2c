import type { ReactNode } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import type { PagedList } from './use-pages.ts'

interface PagedRowsProps<T> {
  list: PagedList<T>
  /** Name of the list. */
  label: string
  /** Shown instead of an empty list. */
  empty: ReactNode
  /** Renders an item as an `li`. */
  children: (item: T) => ReactNode
}

/** The loaded pages of a list, with a button for the next one. */
export function PagedRows<T>({ list, label, empty, children }: PagedRowsProps<T>) {
  const { items, error, again, loadMore, isLoadingMore, moreError } = list
  if (error !== null) return <LoadError message={error} again={again} />
  if (items === undefined) return <Skeleton />
  return (
    <>
      {items.length === 0 ? (
        empty
      ) : (
        <ul className="settings-list" aria-label={label}>
          {items.map(children)}
        </ul>
      )}
      {moreError !== null && loadMore !== null && <LoadError message={moreError} again={loadMore} />}
      {loadMore !== null && (
        <Button pending={isLoadingMore} onClick={loadMore}>
          {t('Show more')}
        </Button>
      )}
    </>
  )
}
