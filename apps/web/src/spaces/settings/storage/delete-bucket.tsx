import type { StorageBucket } from '@foyer/protocol/buckets'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { type RefObject, useCallback } from 'react'
import { formatSize } from '#src/attachments/transfer/size.ts'
import { counted, t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { ConfirmByName } from '#src/ui/dialogs/confirm-by-name.tsx'
import { useFocusAfter } from '#src/ui/focus/use-focus-after.ts'

interface DeleteBucketProps {
  bucket: StorageBucket
  onClose: () => void
  onDeleted: () => void
  focusAfter: RefObject<HTMLElement | null>
}

/** Shows how many files would be deleted, and asks for the name to confirm. */
export function DeleteBucket({ bucket, onClose, onDeleted, focusAfter }: DeleteBucketProps) {
  const { client } = useSession()
  const { space_id, id } = bucket
  useFocusAfter(focusAfter)
  const ask = useCallback(
    (asked: Client, options: CallOptions) => asked.buckets.usage(space_id, id, options),
    [space_id, id],
  )
  const { answer } = useAnswer(ask)

  async function remove() {
    await client.buckets.delete(space_id, id)
    onDeleted()
  }

  if (answer.state === 'loading') return null
  const count = answer.state === 'here' ? answer.value.file_count : null
  return (
    <ConfirmByName
      name={bucket.name}
      title={t('Delete {name}?', { name: bucket.name })}
      description={`${warningFor(bucket, count)} ${bucketNote(bucket)}`}
      action={t('Delete storage')}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}

/** @param count null if it could not be loaded */
function warningFor({ used_bytes }: StorageBucket, count: number | null): string {
  if (count === 0) return t('This storage is empty.')
  const size = formatSize(used_bytes)
  const files =
    count === null
      ? t('This deletes all its files ({size}) for everyone.', { size })
      : counted(
          count,
          'This deletes {count} file ({size}) for everyone.',
          'This deletes {count} files ({size}) for everyone.',
          { size },
        )
  const kinds = t(
    'That includes emoji, stickers, the icon, the banner and files in messages. The messages stay. This can’t be undone.',
  )
  return `${files} ${kinds}`
}

function bucketNote({ included }: StorageBucket): string {
  return included
    ? t(
        'The space loses its share of the server’s storage. You can add it again later, but it will be empty.',
      )
    : t('Foyer disconnects the bucket and deletes its keys. The bucket itself stays.')
}
