import type { CurrentUser } from '@foyer/protocol/users'
import { ProfileFace } from '#src/friends/profiles/profile-face.tsx'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { statusOf } from '#src/store/presences.ts'
import './profile-preview.css'

/** The user's profile card, as others see it. */
export function ProfilePreview({ me }: { me: CurrentUser }) {
  const status = useAppState((state) => statusOf(state, me.id))
  return (
    <section className="profile-preview" aria-label={t('Profile preview')}>
      <ProfileFace
        user={me}
        nickname={null}
        status={status === 'invisible' ? 'offline' : status}
        heading={(name) => (
          <p className="profile-name" dir="auto">
            {name}
          </p>
        )}
      />
    </section>
  )
}
