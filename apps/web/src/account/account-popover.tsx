import { Popover } from '@base-ui/react/popover'
import type { CurrentUser } from '@foyer/protocol/users'
import { LogOut, Settings, Settings2 } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '#src/session/context.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Button } from '#src/ui/button.tsx'
import { errorMessage } from '#src/ui/form-errors.ts'
import '#src/ui/menu.css'
import './account-popover.css'
import { ProfileForm } from './profile-form.tsx'

interface AccountPopoverProps {
  me: CurrentUser
  openSettings: () => void
}

/** The signed-in user at the foot of the rooms: profile, and the way out. */
export function AccountPopover({ me, openSettings }: AccountPopoverProps) {
  const [open, setOpen] = useState(false)
  const name = me.alias ?? me.username
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="account-trigger" aria-label={`Account: ${name}`}>
        <Avatar id={me.id} name={name} />
        <span className="account-names">
          <span className="member-name">{name}</span>
          <span className="member-status">{me.custom || `@${me.username}`}</span>
        </span>
        <Settings2 aria-hidden="true" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="floating" side="top" align="start" sideOffset={8}>
          <Popover.Popup className="popover account-popover">
            <Popover.Title className="account-title">Your account</Popover.Title>
            <p className="account-handle">@{me.username}</p>
            {!me.email_verified && <Unverified />}
            <ProfileForm me={me} onSaved={() => setOpen(false)} />
            <Button
              onClick={() => {
                setOpen(false)
                openSettings()
              }}
            >
              <Settings aria-hidden="true" /> User settings
            </Button>
            <SignOut />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

function SignOut() {
  const { client } = useSession()
  const [pending, setPending] = useState(false)
  function signOut() {
    setPending(true)
    // The session ends here in any case; should the server be out of reach, its part ends by itself.
    client.auth.logout().catch(() => undefined)
  }
  return (
    <Button className="account-sign-out" pending={pending} onClick={signOut}>
      <LogOut aria-hidden="true" /> Sign out
    </Button>
  )
}

function Unverified() {
  const { client } = useSession()
  const [answer, setAnswer] = useState<string | null>(null)
  function send() {
    client.auth.sendVerification().then(
      () => setAnswer('A new link is on its way.'),
      (error) => setAnswer(errorMessage(error)),
    )
  }
  return (
    <p className="account-note" role="status">
      {answer ?? 'Your email address is not confirmed yet. '}
      {answer === null && (
        <Button look="text" onClick={send}>
          Send the link again
        </Button>
      )}
    </p>
  )
}
