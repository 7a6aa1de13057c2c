import type { InvitePreview } from '@foyer/protocol/invites'
import { ApiError } from '@foyer/sdk/rest'
import { DoorClosed } from 'lucide-react'
import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ApplicationSent } from '#src/auth/application-sent.tsx'
import { AuthForms, type AuthMode } from '#src/auth/auth-forms.tsx'
import { AuthLayout } from '#src/auth/auth-layout.tsx'
import { mayUsePasskeys } from '#src/auth/passkeys/place.ts'
import { signUpRules } from '#src/auth/sign-up-rules.ts'
import { useInstanceSoon } from '#src/auth/use-instance.ts'
import { Banner } from '#src/images/banner.tsx'
import { RichText } from '#src/language/rich-text.tsx'
import { counted, t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { roomName } from '#src/rooms/names/room-name.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { mayBeBanned } from '#src/session/known-bans.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { serverNow } from '#src/ui/time/server-clock.ts'
import type { Ban } from './appeals/ban-of.ts'
import './door-note.css'
import './invite-page.css'
import { useInvite } from './use-invite.ts'

const ReportSpace = lazyComponent(() =>
  import('#src/reports/making/report-space.tsx').then((module) => module.ReportSpace),
)
const InvitedAppeal = lazyComponent(() =>
  import('./appeals/invited-appeal.tsx').then((module) => module.InvitedAppeal),
)

/** The page behind an invite link: a preview of the space, and a way to join with or without an account. */
export function InvitePage({ code }: { code: string }) {
  const lookup = useInvite(code)
  if (lookup.state === 'loading') return <AuthLayout title={t('Opening invite…')} />
  if (lookup.state === 'found') return <Invitation invite={lookup.invite} />
  const gone = lookup.state === 'gone'
  return (
    <AuthLayout
      title={gone ? t('This invite is no longer valid') : t('Couldn’t load this invite')}
      lead={gone ? t('It expired or was revoked. Ask for a new link.') : lookup.message}
    >
      <Link href="/" className="button button-primary">
        {t('Continue to Foyer')}
      </Link>
    </AuthLayout>
  )
}

function Invitation({ invite }: { invite: InvitePreview }) {
  const signedIn = useAppState((state) => state.signedIn)
  const [mode, setMode] = useState<AuthMode>('sign-up')
  const [isApplied, setIsApplied] = useState(false)
  // Users who sign in or up on this page want to join, so the page does not ask again.
  const cameSignedOut = useRef(!signedIn)

  function goToSignIn() {
    setMode('sign-in')
    setIsApplied(false)
  }

  if (isApplied) return <ApplicationSent cameByInvite onSignIn={goToSignIn} />
  return (
    <AuthLayout title={invite.space.name} lead={invite.space.description} top={<Inviter invite={invite} />}>
      <p className="invite-facts">
        {counted(invite.member_count, '{count} member', '{count} members')} ·{' '}
        <RichText
          text={t('You’ll start in <room>#{name}</room>')}
          values={{ name: roomName(invite.room) }}
          tags={{ room: (inside) => <strong>{inside}</strong> }}
        />
      </p>
      {invite.door_closed && (
        <p className="door-note">
          <DoorClosed aria-hidden="true" />
          <span>{t('The door of this space is closed. A moderator decides whether you may join.')}</span>
        </p>
      )}
      {signedIn ? (
        <Join invite={invite} atOnce={cameSignedOut.current} />
      ) : (
        <InviteForms code={invite.code} mode={mode} onMode={setMode} onApplied={() => setIsApplied(true)} />
      )}
    </AuthLayout>
  )
}

interface InviteFormsProps {
  code: string
  mode: AuthMode
  onMode: (mode: AuthMode) => void
  onApplied: () => void
}

function InviteForms({ code, mode, onMode, onApplied }: InviteFormsProps) {
  const { instance, again } = useInstanceSoon()
  if (instance === undefined) return null
  const rules = signUpRules(instance)
  return (
    <>
      {mode === 'sign-up' && rules.needsApproval && (
        <p className="auth-note">{t('The administrators of this server review each new account.')}</p>
      )}
      <AuthForms
        mode={mode}
        onMode={onMode}
        beginsHere={false}
        signUp={{ rules, invite: code, onRefused: again, onApplied }}
        takesPasskeys={mayUsePasskeys(instance)}
      />
    </>
  )
}

function Inviter({ invite }: { invite: InvitePreview }) {
  return (
    <div className="invite-top">
      <Banner id={invite.space.banner} className="invite-banner" />
      <Avatar id={invite.space.id} name={invite.space.name} size="lg" picture={invite.space.icon} />
      <p>
        <RichText
          text={t('<name>{name}</name> invited you to join')}
          values={{ name: invite.inviter.alias ?? invite.inviter.username }}
          tags={{ name: (inside) => <strong>{inside}</strong> }}
        />
      </p>
    </div>
  )
}

const words = {
  door_closed: t('This space isn’t letting anyone in at the moment. Try again later.'),
  unknown_invite: t('This invite is no longer valid. Ask for a new link.'),
}

function Join({ invite, atOnce }: { invite: InvitePreview; atOnce: boolean }) {
  const { client, store } = useSession()
  const [, navigate] = useLocation()
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const { ban, bans, onBan, noteBan } = useBan(invite.space.id, atOnce)
  const begun = useRef(false)
  const isMember = useAppState((state) => invite.space.id in state.spaces)
  const path = `/spaces/${invite.space.id}/rooms/${invite.room.id}`

  async function join() {
    setPending(true)
    setError(null)
    try {
      await client.invites.join(invite.code)
      navigate(path, { replace: true })
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.code === 'must_wait') return wait()
      if (thrown instanceof ApiError && thrown.code === 'banned') noteBan()
      else setError(errorMessage(thrown, words))
      setPending(false)
    }
  }

  /** Opens the waiting page. Does not wait for WAITING_SPACE_CREATE, which the gateway sends, too. */
  function wait() {
    const { space } = invite
    const waiting_since = new Date(serverNow()).toISOString()
    if (!(space.id in store.get().waitingSpaces))
      store.adopt('WAITING_SPACE_CREATE', { ...space, waiting_since })
    navigate(path, { replace: true })
  }

  useEffect(() => {
    if (!atOnce || begun.current) return
    begun.current = true
    void join()
  })

  if (isMember && !pending && !begun.current)
    return (
      <>
        <p className="invite-member">{t('You’re already a member of this space.')}</p>
        <Link href={path} className="button button-primary">
          {t('Open {name}', { name: invite.space.name })}
        </Link>
      </>
    )
  const button = (
    <Button look="primary" pending={pending} onClick={() => void join()}>
      {invite.door_closed
        ? t('Ask to join {name}', { name: invite.space.name })
        : t('Join {name}', { name: invite.space.name })}
    </Button>
  )
  return (
    <>
      {bans === 0 && button}
      {ban === 'banned' && (
        <p role="alert" className="form-error">
          {t('You’re banned from this space.')}
        </p>
      )}
      {error !== null && (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
      {bans > 0 && (
        <Suspense>
          <InvitedAppeal key={bans} space={invite.space} onBan={onBan} />
        </Suspense>
      )}
      {bans > 0 && ban !== 'banned' && ban !== 'asking' && button}
      <p className="auth-switch">
        <Link href="/">{t('Not now')}</Link> <ReportOffer invite={invite} />
      </p>
    </>
  )
}

interface KnownBan {
  /** `asking` until the server has answered. */
  readonly ban: Ban | 'asking'
  /** Number of bans found or assumed on this page. As the appeal's key, it mounts the appeal again for each ban. */
  readonly bans: number
  onBan(ban: Ban): void
  /** Called when joining has failed because of a ban. */
  noteBan(): void
}

/** Requests the user's ban if this browser remembers one. Otherwise, a failed join reveals it. */
function useBan(spaceId: string, atOnce: boolean): KnownBan {
  const [asks] = useState(() => !atOnce && mayBeBanned(spaceId))
  const [ban, setBan] = useState<Ban | 'asking'>(asks ? 'asking' : 'unknown')
  const [bans, setBans] = useState(asks ? 1 : 0)
  const onBan = useCallback(
    // A ban found by joining stays known, even if its details could not be loaded.
    (known: Ban) => setBan((before) => (known === 'unknown' && before === 'banned' ? before : known)),
    [],
  )

  function noteBan() {
    if (ban !== 'banned') setBans(bans + 1)
    setBan('banned')
  }

  return { ban, bans, onBan, noteBan }
}

/** Lets users who are not members report the space, because the invite shows it to them. */
function ReportOffer({ invite }: { invite: InvitePreview }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button look="text" onClick={() => setIsOpen(true)}>
        {t('Report space')}
      </Button>
      {isOpen && (
        <Suspense>
          <ReportSpace space={invite.space} invite={invite.code} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
