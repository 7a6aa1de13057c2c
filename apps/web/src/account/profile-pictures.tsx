import type { CurrentUser } from '@foyer/protocol/users'
import { Banner } from '#src/images/banner.tsx'
import { BANNER_CUT, TILE_CUT } from '#src/images/crop.ts'
import { ImageField } from '#src/images/image-field.tsx'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { useSession } from '#src/session/context.ts'

/** The user's avatar and banner. */
export function ProfilePictures({ me }: { me: CurrentUser }) {
  const { client, store } = useSession()

  async function save(change: { avatar?: Blob | null; banner?: Blob | null }) {
    store.adopt('USER_UPDATE', await client.users.updateMe(change))
  }

  return (
    <div className="settings-pictures">
      <ImageField
        label={t('Avatar')}
        hint={t('Shown next to your messages. Square, up to 10 MB.')}
        cut={TILE_CUT}
        preview={<Avatar id={me.id} name={me.alias ?? me.username} size="lg" />}
        hasPicture={me.avatar !== null}
        save={(avatar) => save({ avatar })}
      />
      <ImageField
        label={t('Profile banner')}
        hint={t('Shown on your profile. 3:1, up to 10 MB.')}
        cut={BANNER_CUT}
        preview={me.banner === null ? <div className="image-none" /> : <Banner id={me.banner} />}
        hasPicture={me.banner !== null}
        save={(banner) => save({ banner })}
      />
    </div>
  )
}
