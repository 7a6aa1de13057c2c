import type { CurrentUser } from '@foyer/protocol/users'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { ProfileForm } from './profile-form.tsx'
import { ProfilePictures } from './profile-pictures.tsx'
import { ProfilePreview } from './profile-preview.tsx'

/** Settings of the user's profile, with a preview. */
export function ProfileSection({ me }: { me: CurrentUser }) {
  const [saved, setSaved] = useState(false)
  return (
    <div className="settings-block">
      <ProfilePreview me={me} />
      <ProfilePictures me={me} />
      <ProfileForm me={me} isWhole onSaved={() => setSaved(true)} />
      <p role="status" className="saved-note">
        {saved && t('Profile saved.')}
      </p>
    </div>
  )
}
