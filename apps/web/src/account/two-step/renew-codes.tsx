import type { ProofBody } from '@foyer/protocol/second-factors'
import { SecondFactors } from '@foyer/sdk/api/second-factors'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { NewCodes } from './new-codes.tsx'
import { ProofForm } from './proof-form.tsx'

export function RenewCodes({ onClose }: { onClose: () => void }) {
  const { client } = useSession()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes !== null) return <NewCodes codes={codes} onClose={onClose} />

  async function renew(proof: ProofBody) {
    setCodes((await client.api(SecondFactors).renewRecoveryCodes(proof)).codes)
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Create new recovery codes?')}
      description={t('Your current codes will stop working.')}
    >
      <ProofForm needsCode action={t('Create new codes')} run={renew} onCancel={onClose} />
    </Modal>
  )
}
