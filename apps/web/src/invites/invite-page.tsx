import type { InvitePreview } from '@foyer/protocol/invites'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { AuthForms, type AuthMode } from '#src/auth/auth-forms.tsx'
import { AuthLayout } from '#src/auth/auth-layout.tsx'
import { Banner } from '#src/images/banner.tsx'
import { roomName } from '#src/rooms/room-name.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Button } from '#src/ui/button.tsx'
import { errorMessage } from '#src/ui/form-errors.ts'
import './invite-page.css'
import { useInvite } from './use-invite.ts'

/** Where an invite link leads: what it is an invitation to, and the way in, with or without an account. */
export function InvitePage({ code }: { code: string }) {
  const lookup = useInvite(code)
  if (lookup.state === 'loading') return <AuthLayout title="Looking at your invitation…" />
  if (lookup.state === 'found') return <Invitation invite={lookup.invite} />
  const gone = lookup.state === 'gone'
  return (
    <AuthLayout
      title={gone ? 'This invitation has ended' : 'This invitation cannot be shown'}
      lead={gone ? 'It expired or was taken back. Ask for a new link.' : lookup.message}
    >
      <Link href="/" className="button button-primary">
        Continue to Foyer
      </Link>
    </AuthLayout>
  )
}

function Invitation({ invite }: { invite: InvitePreview }) {
  const signedIn = useAppState((state) => state.signedIn)
  const [mode, setMode] = useState<AuthMode>('sign-up')
  // Who signs in or up here came to join, and has said so by it.
  const cameSignedOut = useRef(!signedIn)
  return (
    <AuthLayout title={invite.space.name} lead={invite.space.description} top={<Inviter invite={invite} />}>
      <p className="invite-facts">
        {invite.member_count === 1 ? '1 member' : `${invite.member_count} members`} · opens{' '}
        <strong>#{roomName(invite.room)}</strong>
        {!signedIn && (mode === 'sign-up' ? ' · sign up to join' : ' · sign in to join')}
      </p>
      {signedIn ? (
        <Join invite={invite} atOnce={cameSignedOut.current} />
      ) : (
        <AuthForms mode={mode} onMode={setMode} beginsHere={false} />
      )}
    </AuthLayout>
  )
}

function Inviter({ invite }: { invite: InvitePreview }) {
  return (
    <div className="invite-top">
      <Banner id={invite.space.banner} className="invite-banner" />
      <Avatar id={invite.space.id} name={invite.space.name} size="lg" picture={invite.space.icon} />
      <p>
        <strong>{invite.inviter.alias ?? invite.inviter.username}</strong> invites you to
      </p>
    </div>
  )
}

function Join({ invite, atOnce }: { invite: InvitePreview; atOnce: boolean }) {
  const { client } = useSession()
  const [, navigate] = useLocation()
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const begun = useRef(false)

  async function join() {
    setPending(true)
    setError(null)
    try {
      await client.invites.join(invite.code)
      navigate(`/spaces/${invite.space.id}/rooms/${invite.room.id}`, { replace: true })
    } catch (thrown) {
      setError(errorMessage(thrown))
      setPending(false)
    }
  }

  useEffect(() => {
    if (!atOnce || begun.current) return
    begun.current = true
    void join()
  })

  return (
    <>
      <Button look="primary" pending={pending} onClick={() => void join()}>
        Join {invite.space.name}
      </Button>
      {error !== null && (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
      <p className="auth-switch">
        <Link href="/">Not now</Link>
      </p>
    </>
  )
}
