import type { Passkey } from '@foyer/protocol/passkeys'
import type { ProofBody } from '@foyer/protocol/second-factors'
import { Passkeys } from '@foyer/sdk/api/passkeys'
import type { RefObject } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { OwnerProof } from './owner-proof.tsx'

interface RemovePasskeyProps {
  passkey: Passkey
  onClose: () => void
  focusAfter: RefObject<HTMLElement | null>
}

export function RemovePasskey({ passkey: { id, name }, onClose, focusAfter }: RemovePasskeyProps) {
  const { client } = useSession()

  async function remove(proof: ProofBody) {
    await client.api(Passkeys).delete(id, proof)
    onClose()
  }

  return (
    <Modal
      open
      onOpenChange={onClose}
      title={t('Remove the passkey {name}?', { name })}
      description={t('You’ll no longer be able to sign in with it. You can also delete it from your device.')}
      focusAfter={focusAfter}
    >
      <OwnerProof action={t('Remove')} look="danger" run={remove} onCancel={onClose} />
    </Modal>
  )
}
