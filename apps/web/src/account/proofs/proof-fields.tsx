import type { WaysToProve } from '@foyer/protocol/owner-proofs'
import { OwnerProofs } from '@foyer/sdk/api/owner-proofs'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { type ReactNode, Suspense, useContext, useEffect, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { TextField } from '#src/ui/fields/field.tsx'
import { FormFailure } from '#src/ui/fields/field-errors.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import type { GivenProof } from './proof-values.ts'
import { isSpentBy, PROOF_MS } from './spent-proofs.ts'

const FreshProof = lazyComponent(() => import('./fresh-proof.tsx').then((module) => module.FreshProof))

/** Assumed until the server answers, so that the password field, which most accounts need, is shown at once. */
const BY_PASSWORD: WaysToProve = { password: true, code: false, passkey: false, providers: [] }

interface ProofFieldsProps {
  label?: string
  hint?: string
  /** The form's field for a second-factor code, if any. */
  children?: ReactNode
}

/** Asks for a fresh proof in a form, if the account has a passkey or a provider for it, and for the password, if it is usable. */
export function ProofFields({ label = t('Your password'), hint, children }: ProofFieldsProps) {
  const { answer } = useAnswer(getWays)
  const [given, setGiven] = useProof()
  const ways = answer.state === 'here' ? answer.value : BY_PASSWORD
  const isFresh = ways.passkey || ways.providers.length > 0
  const asksPassword = ways.password || !isFresh
  return (
    <>
      <input type="hidden" name="fresh_proof" value={given?.token ?? ''} />
      <input type="hidden" name="without_code" value={given?.isWithoutCode ? 'yes' : ''} />
      <input type="hidden" name="only_fresh" value={asksPassword ? '' : 'yes'} />
      {isFresh && (
        <Suspense fallback={<Skeleton />}>
          <FreshProof ways={ways} given={given} onGiven={setGiven} />
        </Suspense>
      )}
      {asksPassword && (
        <TextField
          name="password"
          label={label}
          type="password"
          autoComplete="current-password"
          {...(hint === undefined ? {} : { hint })}
        />
      )}
      {given?.isWithoutCode ? null : children}
    </>
  )
}

/** Keeps a proof until a request has spent it, or it has expired. */
function useProof() {
  const [given, setGiven] = useState<GivenProof | null>(null)
  const failure = useContext(FormFailure)

  useEffect(() => {
    if (isSpentBy(failure)) setGiven(null)
  }, [failure])

  useEffect(() => {
    if (given === null) return
    const timer = setTimeout(() => setGiven(null), PROOF_MS)
    return () => clearTimeout(timer)
  }, [given])

  return [given, setGiven] as const
}

function getWays(client: Client, options: CallOptions): Promise<WaysToProve> {
  return client.api(OwnerProofs).ways(options)
}
