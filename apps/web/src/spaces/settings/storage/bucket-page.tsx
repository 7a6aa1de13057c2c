import type { StorageBucket } from '@foyer/protocol/buckets'
import { ArrowLeft } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { useAttempt } from '#src/ui/dialogs/unsaved-changes.ts'
import { useFocusedHeading } from '#src/ui/focus/use-focused-heading.ts'
import { BucketForm } from './bucket-form/bucket-form.tsx'

interface BucketPageProps {
  space: SpaceEntry
  /** Null for a new bucket; its first field has the focus. */
  bucket: StorageBucket | null
  onBack: () => void
  onSaved: () => void
}

/** The settings of one bucket, shown instead of the list. */
export function BucketPage({ space, bucket, onBack, onSaved }: BucketPageProps) {
  const attempt = useAttempt()
  const isNew = bucket === null
  const heading = useFocusedHeading(!isNew)

  return (
    <div className="bucket-page">
      <header className="role-header">
        <IconButton label={t('Back to storage')} icon={<ArrowLeft />} onClick={() => attempt(onBack)} />
        <h4 ref={heading} tabIndex={-1}>
          {isNew ? t('Connect a bucket') : bucket.name}
        </h4>
      </header>
      <BucketForm space={space} bucket={bucket} onSaved={onSaved} />
    </div>
  )
}
