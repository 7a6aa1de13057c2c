import type { CurrentUser } from '@foyer/protocol/users'
import { useState } from 'react'
import { ProfileForm } from './profile-form.tsx'
import { ProfilePictures } from './profile-pictures.tsx'

/** How others see one. */
export function ProfileSection({ me }: { me: CurrentUser }) {
  const [saved, setSaved] = useState(false)
  return (
    <div className="settings-block">
      <ProfilePictures me={me} />
      <ProfileForm me={me} isWhole onSaved={() => setSaved(true)} />
      <p role="status" className="saved-note">
        {saved && 'Your profile is saved.'}
      </p>
    </div>
  )
}
