import type { CurrentUser } from '@foyer/protocol/users'
import { useState } from 'react'
import { Avatar } from '#src/ui/avatar.tsx'
import { ProfileForm } from './profile-form.tsx'

/** How others see one. */
export function ProfileSection({ me }: { me: CurrentUser }) {
  const [saved, setSaved] = useState(false)
  const name = me.alias ?? me.username
  return (
    <div className="settings-block">
      <div className="profile-preview">
        <Avatar id={me.id} name={name} size="lg" />
        <p>
          <strong>{name}</strong>
          <span>@{me.username}</span>
        </p>
      </div>
      <ProfileForm me={me} isWhole onSaved={() => setSaved(true)} />
      <p role="status" className="saved-note">
        {saved && 'Your profile is saved.'}
      </p>
    </div>
  )
}
