import type { StorageBucket } from '@foyer/protocol/buckets'
import { HardDrive, Plus } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { BucketEntry } from './bucket-entry.tsx'
import { BucketPage } from './bucket-page.tsx'
import { IncludedStorage } from './included-storage.tsx'
import './storage.css'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { useBuckets } from './use-buckets.ts'

/** The storage of the space: the server's own, and its buckets. */
export function StorageSection({ space }: { space: SpaceEntry }) {
  const { buckets, error, again } = useBuckets(space.id)
  const [edited, setEdited] = useState<StorageBucket | 'new' | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const connect = useRef<HTMLButtonElement>(null)
  const cameBack = useRef(false)

  // The focused element disappeared with the bucket page. A layout effect runs before the dialog takes the focus.
  useLayoutEffect(() => {
    if (edited === null && cameBack.current) connect.current?.focus()
    cameBack.current = edited !== null
  }, [edited])

  if (error !== null) return <LoadError message={error} again={again} />
  if (buckets === undefined) return <Skeleton />

  if (edited !== null)
    return (
      <BucketPage
        space={space}
        bucket={edited === 'new' ? null : edited}
        onBack={() => setEdited(null)}
        onSaved={() => {
          setEdited(null)
          // Shows the saved bucket immediately, without waiting for its event.
          again()
        }}
      />
    )
  return (
    <>
      <p className="settings-note">
        {t(
          'Files, emoji, stickers and pictures of this space are stored here. Without storage, you can’t add pictures, and files in messages go to the server’s own storage, which may have less room.',
        )}
      </p>
      {buckets.length === 0 ? (
        <EmptyNote icon={<HardDrive />} title={t('No storage yet')}>
          {t('Use the server’s storage, or connect an S3-compatible bucket.')}
        </EmptyNote>
      ) : (
        <ul ref={list} tabIndex={-1} className="bucket-list" aria-label={t('Storage')}>
          {buckets.map((bucket) => (
            <BucketEntry
              key={bucket.id}
              bucket={bucket}
              focusAfter={list}
              onEdit={() => setEdited(bucket)}
              onChange={again}
            />
          ))}
        </ul>
      )}
      <div className="bucket-actions">
        {!buckets.some(({ included }) => included) && (
          <IncludedStorage
            space={space}
            isFirst={buckets.length === 0}
            isWanted={!buckets.some(({ active }) => active)}
            focusAfter={connect}
            onAdded={again}
          />
        )}
        <Button ref={connect} onClick={() => setEdited('new')}>
          <Plus aria-hidden="true" /> {t('Connect a bucket')}
        </Button>
      </div>
    </>
  )
}
