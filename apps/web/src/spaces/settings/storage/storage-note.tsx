import { Permission } from '@foyer/protocol/permissions'
import { t } from '#src/language/texts.ts'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useSectionLink } from '#src/ui/dialogs/section-links.ts'
import { IncludedStorage } from './included-storage.tsx'
import './storage.css'
import { useBuckets } from './use-buckets.ts'

/** Warns users who manage storage that the space has no storage for pictures. */
export function StorageNote({ space }: { space: SpaceEntry }) {
  const mayManage = usePermissions(space.id).may(Permission.ManageSpaceBuckets)
  const { buckets, again } = useBuckets(space.id, mayManage)
  const openStorage = useSectionLink('storage')
  if (buckets === undefined || buckets.some((bucket) => bucket.active)) return null
  return (
    <div className="settings-why storage-note">
      <p>
        {buckets.length === 0
          ? t('Set up storage before adding pictures.')
          : t('This space’s storage is turned off. Turn it on to add pictures.')}
      </p>
      <div className="bucket-actions">
        {!buckets.some(({ included }) => included) && (
          <IncludedStorage space={space} isFirst={false} isWanted onAdded={again} />
        )}
        {openStorage !== null && (
          <Button look="text" onClick={openStorage}>
            {t('Set up storage')}
          </Button>
        )}
      </div>
    </div>
  )
}
