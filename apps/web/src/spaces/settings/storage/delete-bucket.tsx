import type { StorageBucket } from '@foyer/protocol/buckets'
import { type RefObject, useState } from 'react'
import { formatSize } from '#src/attachments/size.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Confirm } from '#src/ui/confirm.tsx'
import { SwitchRow } from '#src/ui/switch-row.tsx'

interface DeleteBucketProps {
  bucket: StorageBucket
  onClose: () => void
  onDeleted: () => void
  focusAfter: RefObject<HTMLElement | null>
}

/** Asks before a storage goes, and whether the files that it holds go with it: otherwise it stays. */
export function DeleteBucket({ bucket, onClose, onDeleted, focusAfter }: DeleteBucketProps) {
  const { client } = useSession()
  const [discardFiles, setDiscardFiles] = useState(false)
  const holdsFiles = bucket.used_bytes > 0

  async function remove() {
    await client.buckets.delete(bucket.space_id, bucket.id, { discardFiles })
    onDeleted()
  }

  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Delete {name}?', { name: bucket.name })}
      action={discardFiles ? t('Delete it with its files') : t('Delete storage')}
      run={remove}
      words={{
        bucket_in_use: t('It still holds files that are shown somewhere. Choose to delete them, too.'),
      }}
      focusAfter={focusAfter}
    >
      <p>
        {bucket.included
          ? t('The space gives up its share of the server’s storage. It can be added again, empty.')
          : t('The space forgets the bucket and its keys. The bucket itself stays where it is.')}
      </p>
      {holdsFiles && (
        <SwitchRow
          label={t('Delete its {size} of files, too', { size: formatSize(bucket.used_bytes) })}
          description={t(
            'Emojis, stickers, the icon and the banner that it holds go, and so do the files of messages. The messages stay.',
          )}
          checked={discardFiles}
          onChange={setDiscardFiles}
        />
      )}
    </Confirm>
  )
}
