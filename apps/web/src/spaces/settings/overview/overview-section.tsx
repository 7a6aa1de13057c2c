import { t } from '#src/language/texts.ts'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { SpaceExport } from '../export/space-export.tsx'
import { DeleteSpace } from './delete-space.tsx'
import { SecondFactorSwitch } from './second-factor-switch.tsx'
import { SpaceForm } from './space-form.tsx'
import { SpacePictures } from './space-pictures.tsx'
import { SpaceRetention } from './space-retention.tsx'
import { TransferSpace } from './transfer-space.tsx'

/** Name, description and pictures of the space; for its owner also transfer and deletion. */
export function OverviewSection({ space }: { space: SpaceEntry }) {
  const { isOwner } = usePermissions(space.id)
  return (
    <>
      <SpacePictures space={space} />
      <SpaceForm space={space} />
      <SpaceRetention space={space} />
      {isOwner && <SecondFactorSwitch space={space} />}
      {isOwner && <SpaceExport space={space} />}
      {isOwner && (
        <section className="danger-zone" aria-labelledby="danger-zone">
          <h4 id="danger-zone">{t('Danger zone')}</h4>
          <TransferSpace space={space} />
          <DeleteSpace space={space} />
        </section>
      )}
    </>
  )
}
