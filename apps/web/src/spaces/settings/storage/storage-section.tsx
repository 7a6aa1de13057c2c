import type { StorageBucket } from '@foyer/protocol/buckets'
import { ArrowLeft, HardDrive, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyNote } from '#src/ui/empty-note.tsx'
import { useAttempt } from '#src/ui/unsaved-changes.ts'
import { BucketEntry } from './bucket-entry.tsx'
import { BucketForm } from './bucket-form.tsx'
import { IncludedStorage } from './included-storage.tsx'
import './storage.css'
import { useBuckets } from './use-buckets.ts'

/** Where the space keeps its files. */
export function StorageSection({ space }: { space: SpaceEntry }) {
  const { buckets, error, again } = useBuckets(space.id)
  const [edited, setEdited] = useState<StorageBucket | 'new' | null>(null)
  const attempt = useAttempt()
  const list = useRef<HTMLUListElement>(null)
  if (error !== null)
    return (
      <p role="alert" className="form-error">
        {error}
      </p>
    )
  if (buckets === undefined) return <p className="settings-note">Loading…</p>

  function back() {
    setEdited(null)
    // The gateway tells it too; what was just saved is seen at once.
    again()
  }

  if (edited !== null)
    return (
      <div className="bucket-page">
        <Button look="text" onClick={() => attempt(() => setEdited(null))}>
          <ArrowLeft aria-hidden="true" /> All storage
        </Button>
        <h4>{edited === 'new' ? 'Connect a bucket' : edited.name}</h4>
        <BucketForm space={space} bucket={edited === 'new' ? null : edited} onSaved={back} />
      </div>
    )
  return (
    <>
      <p className="settings-note">
        Emojis, stickers, the icon and the banner of the space are kept in the storage that is in use, and so
        are the files of messages. Without one, pictures cannot be added, and the files of messages go to the
        server’s own storage, which may have less room.
      </p>
      {buckets.length === 0 ? (
        <EmptyNote icon={<HardDrive />} title="No storage yet">
          Use the storage that comes with this server, or connect a bucket of an S3-compatible object store.
        </EmptyNote>
      ) : (
        <ul ref={list} tabIndex={-1} className="bucket-list" aria-label="Storage">
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
          <IncludedStorage space={space} isFirst={buckets.length === 0} onAdded={again} />
        )}
        <Button onClick={() => setEdited('new')}>
          <Plus aria-hidden="true" /> Connect a bucket
        </Button>
      </div>
    </>
  )
}
