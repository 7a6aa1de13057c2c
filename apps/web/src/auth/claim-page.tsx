import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'wouter'
import { RichText } from '#src/language/rich-text.tsx'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { ApplicationSent } from './application-sent.tsx'
import { AuthForms, type AuthMode } from './auth-forms.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { Claim } from './claim.tsx'
import { useClaimToken } from './claim-token.ts'
import { mayUsePasskeys } from './passkeys/place.ts'
import { SignUpForm, type SignUpOptions } from './sign-up-form.tsx'
import { PLAIN_RULES } from './sign-up-rules.ts'
import { useInstanceSoon } from './use-instance.ts'

/** The page of the link for the first operator. Users sign in or create an account here, and become the operator. */
export function ClaimPage() {
  const token = useClaimToken()
  return token === null ? <NoToken /> : <ClaimServer key={token} token={token} />
}

function ClaimServer({ token }: { token: string }) {
  const { instance, again } = useInstanceSoon()
  const signedIn = useAppState((state) => state.signedIn)
  const [outcome, setOutcome] = useState<'claimed' | 'refused' | 'applied' | null>(null)
  // A user who signs in or up on this page wants to become the operator. A sign-in in another tab does not mean that.
  const signedInHere = useRef(false)

  if (outcome === 'claimed') return <Done />
  if (outcome === 'applied') return <ApplicationSent onSignIn={() => setOutcome(null)} />
  if (instance === undefined) return <AuthLayout title="Foyer" isPending />
  if (instance?.awaits_operator === false) return <HasOperator />
  if (outcome === 'refused') return <WrongToken />
  return (
    <AuthLayout
      title={t('Become the administrator of this server')}
      lead={t(
        'This link makes you the administrator of this server. Administrators decide who can have an account, can lock accounts and freeze spaces, and can make other people administrators.',
      )}
    >
      {signedIn ? (
        <Claim token={token} atOnce={signedInHere} onDone={() => setOutcome('claimed')} />
      ) : (
        <ClaimForms
          token={token}
          isFirst={instance?.is_empty === true}
          takesPasskeys={mayUsePasskeys(instance)}
          onRefused={() => {
            again()
            setOutcome('refused')
          }}
          onApplied={() => setOutcome('applied')}
          onSignedIn={() => {
            signedInHere.current = true
          }}
        />
      )}
    </AuthLayout>
  )
}

interface ClaimFormsProps extends Omit<SignUpOptions, 'rules' | 'invite'> {
  token: string
  isFirst: boolean
  takesPasskeys: boolean
}

/** Forms to sign in or up. A valid token exempts the user from the sign-up rules. If the server applies them, the link is invalid. */
function ClaimForms({ token, isFirst, takesPasskeys, ...calls }: ClaimFormsProps) {
  const [mode, setMode] = useState<AuthMode>('sign-up')
  const signUp = { rules: PLAIN_RULES, invite: token, ...calls }
  if (isFirst) return <SignUpForm email="" onEmail={() => undefined} beginsHere={false} signUp={signUp} />
  return <AuthForms {...{ mode, signUp, takesPasskeys }} onMode={setMode} beginsHere={false} />
}

function Done() {
  return (
    <ClaimNote title={t('You’re the administrator of this server now')} takesFocus showsSetup>
      {t('The link no longer works. Next, see what’s left to set up.')}
    </ClaimNote>
  )
}

const tags = { code: (inside: string) => <code>{inside}</code> }

function NoToken() {
  return (
    <ClaimNote title={t('This link is incomplete')}>
      <RichText
        text={t(
          'Open the whole link that the server printed when it started. It’s also in the log and in the file <code>operator-link</code> in the data folder.',
        )}
        tags={tags}
      />
    </ClaimNote>
  )
}

function HasOperator() {
  return (
    <ClaimNote title={t('This server already has an administrator')}>
      {t('The link no longer works. Administrators can make other people administrators.')}
    </ClaimNote>
  )
}

function WrongToken() {
  return (
    <ClaimNote title={t('This link doesn’t work')}>
      {t('Open the newest link that the server printed.')}
    </ClaimNote>
  )
}

interface ClaimNoteProps {
  title: string
  takesFocus?: boolean
  /** Shows a link to the settings that are still missing, before the link to the client. */
  showsSetup?: boolean
  children: ReactNode
}

function ClaimNote({ title, takesFocus = false, showsSetup = false, children }: ClaimNoteProps) {
  return (
    <AuthLayout title={title} lead={children} takesFocus={takesFocus}>
      {showsSetup && (
        <Link href="/operator/setup" className="button button-primary">
          {t('Set up the server')}
        </Link>
      )}
      <Link href="/" className={`button ${showsSetup ? 'button-quiet' : 'button-primary'}`}>
        {t('Continue to Foyer')}
      </Link>
    </AuthLayout>
  )
}
