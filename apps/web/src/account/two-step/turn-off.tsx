import type { ProofBody } from '@foyer/protocol/second-factors'
import { SecondFactors } from '@foyer/sdk/api/second-factors'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { ProofForm } from './proof-form.tsx'

export function TurnOff({ onClose }: { onClose: () => void }) {
  const { client } = useSession()

  async function turnOff(proof: ProofBody) {
    await client.api(SecondFactors).removeTotp(proof)
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Turn off two-step login?')}
      description={t('Your password alone will be enough to sign in. Your recovery codes stop working.')}
    >
      <ProofForm needsCode action={t('Turn off')} look="danger" run={turnOff} onCancel={onClose} />
    </Modal>
  )
}
