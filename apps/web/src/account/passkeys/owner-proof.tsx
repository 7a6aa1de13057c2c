import type { ProofBody } from '@foyer/protocol/second-factors'
import { SecondFactors } from '@foyer/sdk/api/second-factors'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useAnswer } from '#src/session/use-answer.ts'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { ProofForm } from '../two-step/proof-form.tsx'

interface OwnerProofProps {
  action: string
  look?: 'primary' | 'danger'
  run: (proof: ProofBody) => Promise<void>
  onCancel: () => void
}

/** Asks for a proof of presence, and for a code if the account has a second factor. */
export function OwnerProof(props: OwnerProofProps) {
  const { answer, again } = useAnswer(hasSecondFactor)
  if (answer.state === 'loading') return <Skeleton />
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  return <ProofForm needsCode={answer.value} {...props} />
}

async function hasSecondFactor(client: Client, options: CallOptions): Promise<boolean> {
  return (await client.api(SecondFactors).get(options)).totp_since !== null
}
