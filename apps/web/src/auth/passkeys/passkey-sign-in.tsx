import type { PasskeyLoginBody } from '@foyer/protocol/passkeys'
import { KeyRound } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { connect } from '#src/session/connect.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { authWords } from '../words.ts'
import { chooseCredential, offerCredentials } from './ceremonies.ts'

interface PasskeySignInProps {
  /** Called after the server has accepted the login, before the client connects. */
  onSignedIn?: (() => void) | undefined
}

/** Signs in by a passkey: from a button, or from the browser's suggestions in the username field. */
export function PasskeySignIn({ onSignedIn }: PasskeySignInProps) {
  const session = useSession()
  const action = useAction(authWords)
  /** Number of times the button's dialog was closed. Opening it ends the suggestions in the field; closing it restarts them. */
  const [closings, setClosings] = useState(0)

  async function signIn(credential: PasskeyLoginBody['credential']) {
    await session.client.auth.loginByPasskey({ credential })
    onSignedIn?.()
    connect(session)
  }

  async function choose() {
    const credential = await chooseCredential(session.client)
    if (credential === null) setClosings((count) => count + 1)
    else await signIn(credential)
  }

  const take = useEffectEvent((credential: PasskeyLoginBody['credential']) =>
    action.run(() => signIn(credential)),
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: the suggestions begin again when the button's dialog closes
  useEffect(() => {
    const offer = new AbortController()
    offerCredentials(session.client, offer.signal).then(
      (credential) => credential !== null && !offer.signal.aborted && take(credential),
      // Ignored: if the cause persists, a click on the button shows the error.
      () => undefined,
    )
    return () => offer.abort()
  }, [session.client, closings])

  return (
    <>
      <Button pending={action.pending} onClick={() => action.run(choose)}>
        <KeyRound aria-hidden="true" />
        {t('Sign in with a passkey')}
      </Button>
      <ErrorLine message={action.error} />
    </>
  )
}
