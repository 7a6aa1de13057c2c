import type { SignInProvider } from '@foyer/protocol/oidc'
import type { WaysToProve } from '@foyer/protocol/owner-proofs'
import { OwnerProofs } from '@foyer/sdk/api/owner-proofs'
import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { takeCredential } from '#src/auth/passkeys/ceremonies.ts'
import { listenForProof } from '#src/auth/providers/proof-channel.ts'
import { providerWords } from '#src/auth/providers/provider-words.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { type Action, useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import type { GivenProof } from './proof-values.ts'

interface FreshProofProps {
  ways: WaysToProve
  given: GivenProof | null
  onGiven: (given: GivenProof | null) => void
}

/** Lets the user prove their presence: by a passkey, or by signing in again at a provider. */
export function FreshProof({ ways, given, onGiven }: FreshProofProps) {
  const { client } = useSession()
  const action = useAction(providerWords)
  const provider = useProviderProof(onGiven)

  async function byPasskey() {
    const proofs = client.api(OwnerProofs)
    const credential = await takeCredential(await proofs.preparePasskey())
    if (credential === null) return
    const { proof } = await proofs.byPasskey({ credential })
    onGiven({ token: proof, isWithoutCode: true })
  }

  return (
    <>
      <p className="settings-note" role="status">
        {given === null ? STEP_NOTES[provider.step] : t('Confirmed. Continue within five minutes.')}
      </p>
      <div className="form-actions">
        {ways.providers.map((each) => (
          <Button key={each.id} pending={action.pending} onClick={() => provider.open(each, action)}>
            {t('Confirm with {provider}', { provider: each.name })}
          </Button>
        ))}
        {ways.passkey && (
          <Button pending={action.pending} onClick={() => action.run(byPasskey)}>
            <KeyRound aria-hidden="true" />
            {t('Confirm with a passkey')}
          </Button>
        )}
      </div>
      <ErrorLine message={action.error} />
    </>
  )
}

type ProviderStep = 'idle' | 'waiting' | 'blocked'

const STEP_NOTES: Readonly<Record<ProviderStep, string>> = {
  idle: t('Confirm it’s you first.'),
  waiting: t('Sign in again in the window that has opened.'),
  blocked: t('Your browser blocked the window. Allow pop-ups for this page and try again.'),
}

/** Opens the provider in a separate window, so that the form keeps its values. */
function useProviderProof(onGiven: (given: GivenProof | null) => void) {
  const { client } = useSession()
  const [step, setStep] = useState<ProviderStep>('idle')
  /** Token of a proof that the provider has not confirmed yet. */
  const [token, setToken] = useState<string | null>(null)

  useEffect(() => {
    if (token === null) return
    return listenForProof(() => {
      setToken(null)
      setStep('idle')
      onGiven({ token, isWithoutCode: false })
    })
  }, [token, onGiven])

  async function begin(id: string, opened: Window) {
    try {
      const { proof, url } = await client.api(OwnerProofs).start(id)
      setToken(proof)
      setStep('waiting')
      opened.location.replace(url)
    } catch (error) {
      opened.close()
      throw error
    }
  }

  function open({ id }: SignInProvider, action: Action) {
    if (action.pending) return
    onGiven(null)
    // Opened before the request, because browsers allow a new window only during a click.
    const opened = window.open('', '_blank')
    if (opened === null) setStep('blocked')
    else action.run(() => begin(id, opened))
  }

  return { step, open }
}
