import type { StorageBucket } from '@foyer/protocol/buckets'
import { Pencil, Trash2 } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { formatSize } from '#src/attachments/transfer/size.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { SwitchRow } from '#src/ui/fields/switch-row.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { DeleteBucket } from './delete-bucket.tsx'
import { RelayedUploads } from './relayed-uploads.tsx'
import { RenameIncluded } from './rename-included.tsx'
import { TestBucket } from './test-bucket.tsx'
import { UsageBar } from './usage-bar.tsx'

interface BucketEntryProps {
  bucket: StorageBucket
  /** Receives the focus after the bucket is deleted. */
  focusAfter: RefObject<HTMLElement | null>
  onEdit: () => void
  onChange: () => void
}

export function BucketEntry({ bucket, focusAfter, onEdit, onChange }: BucketEntryProps) {
  const [open, setOpen] = useState<'name' | 'delete' | null>(null)
  return (
    <li className="bucket" data-active={bucket.active || undefined}>
      <div className="bucket-head">
        <span className="settings-names">
          <strong className="settings-name" dir="auto">
            {bucket.name}
          </strong>
          <span className="settings-note">{locationOf(bucket)}</span>
        </span>
        <span className="settings-actions">
          <IconButton
            label={
              bucket.included
                ? t('Rename {name}', { name: bucket.name })
                : t('Edit {name}', { name: bucket.name })
            }
            icon={<Pencil />}
            onClick={() => (bucket.included ? setOpen('name') : onEdit())}
          />
          <IconButton
            label={t('Delete {name}', { name: bucket.name })}
            icon={<Trash2 />}
            onClick={() => setOpen('delete')}
          />
        </span>
      </div>
      <UsageBar
        label={t('Used in {name}', { name: bucket.name })}
        usedBytes={bucket.used_bytes}
        maxBytes={bucket.max_bytes}
      />
      {!bucket.included && <TestBucket bucket={bucket} />}
      {!bucket.direct_upload && <RelayedUploads />}
      <ActiveSwitch bucket={bucket} onChange={onChange} />
      {open === 'name' && <RenameIncluded bucket={bucket} onClose={() => setOpen(null)} onSaved={onChange} />}
      {open === 'delete' && (
        <DeleteBucket
          bucket={bucket}
          onClose={() => setOpen(null)}
          onDeleted={onChange}
          focusAfter={focusAfter}
        />
      )}
    </li>
  )
}

function locationOf({ included, endpoint, bucket_name, upload_limit_bytes }: StorageBucket): string {
  const location = included
    ? t('Included with this server')
    : t('{bucket_name} at {host}', { bucket_name, host: URL.parse(endpoint)?.host ?? endpoint })
  if (upload_limit_bytes === null) return location
  return t('{place} · files up to {size}', { place: location, size: formatSize(upload_limit_bytes) })
}

function ActiveSwitch({ bucket, onChange }: Pick<BucketEntryProps, 'bucket' | 'onChange'>) {
  const { buckets } = useSession().client
  const { run, error } = useAction()

  async function turn(active: boolean) {
    if (active) await buckets.activate(bucket.space_id, bucket.id)
    else await buckets.deactivate(bucket.space_id, bucket.id)
    onChange()
  }

  return (
    <>
      <SwitchRow
        label={t('In use')}
        description={
          bucket.active
            ? t('New files go here.')
            : t('New files don’t go here. Existing files stay available.')
        }
        checked={bucket.active}
        onChange={(active) => run(() => turn(active))}
      />
      {error !== null && (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
    </>
  )
}
