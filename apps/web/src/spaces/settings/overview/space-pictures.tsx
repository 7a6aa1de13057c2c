import { Banner } from '#src/images/banner.tsx'
import { BANNER_CUT, TILE_CUT } from '#src/images/crop.ts'
import { ImageField } from '#src/images/image-field.tsx'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'

/** Icon and banner of the space. */
export function SpacePictures({ space }: { space: SpaceEntry }) {
  const { client, store } = useSession()

  async function save(change: { icon?: Blob | null; banner?: Blob | null }) {
    store.adopt('SPACE_UPDATE', await client.spaces.update(space.id, change))
  }

  return (
    <div className="settings-pictures">
      <ImageField
        label={t('Space icon')}
        hint={t('Shown in everyone’s list of spaces. Square, up to 10 MB.')}
        cut={TILE_CUT}
        preview={<Avatar id={space.id} name={space.name} size="lg" />}
        hasPicture={space.icon !== null}
        save={(icon) => save({ icon })}
      />
      <ImageField
        label={t('Space banner')}
        hint={t('Shown above the room list and on invites. 3:1, up to 10 MB.')}
        cut={BANNER_CUT}
        preview={space.banner === null ? <div className="image-none" /> : <Banner id={space.banner} />}
        hasPicture={space.banner !== null}
        save={(banner) => save({ banner })}
      />
    </div>
  )
}
