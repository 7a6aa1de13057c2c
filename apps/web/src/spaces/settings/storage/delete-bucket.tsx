import type { StorageBucket } from '@foyer/protocol/buckets'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { type RefObject, useCallback } from 'react'
import { formatSize } from '#src/attachments/size.ts'
import { counted, t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { ConfirmByName } from '#src/ui/confirm-by-name.tsx'
import { useFocusAfter } from '#src/ui/use-focus-after.ts'

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
  if (count === 0) return t('It holds no files.')
  const size = formatSize(used_bytes)
  const files =
    count === null
      ? t('All its files ({size}) are deleted for everyone.', { size })
      : counted(
          count,
          '{count} file ({size}) is deleted for everyone.',
          '{count} files ({size}) are deleted for everyone.',
          { size },
        )
  const kinds = t(
    'That includes emojis, stickers, the icon, the banner and files in messages. The messages stay. This can’t be undone.',
  )
  return `${files} ${kinds}`
}

function bucketNote({ included }: StorageBucket): string {
  return included
    ? t('The space gives up its share of the server’s storage. It can be added again, empty.')
    : t('The space forgets the bucket and its keys. The bucket itself stays where it is.')
}
