import type { MemberWithUser } from '@foyer/protocol/members'
import { ApiError } from '@foyer/sdk/rest'
import { useState } from 'react'
import { AskCode } from '#src/auth/ask-code.tsx'
import { t } from '#src/language/texts.ts'
import { MemberFinder } from '#src/members/member-finder.tsx'
import { MemberName } from '#src/members/member-name.tsx'
import { useNames } from '#src/members/use-names.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'

export function TransferSpace({ space }: { space: SpaceEntry }) {
  const [open, setOpen] = useState(false)
  const [newOwner, setNewOwner] = useState<MemberWithUser | null>(null)
  return (
    <div className="settings-line">
      <p>
        <strong>{t('Transfer ownership')}</strong>
        <span>{t('Another member becomes the owner. You stay a member and keep your roles.')}</span>
      </p>
      <Button onClick={() => setOpen(true)}>{t('Choose a member')}</Button>
      {open && <ChooseOwner space={space} onClose={() => setOpen(false)} onChoose={setNewOwner} />}
      {newOwner !== null && (
        <ConfirmTransfer space={space} newOwner={newOwner} onClose={() => setNewOwner(null)} />
      )}
    </div>
  )
}

interface ChooseOwnerProps {
  space: SpaceEntry
  onClose: () => void
  onChoose: (member: MemberWithUser) => void
}

function ChooseOwner({ space, onClose, onChoose }: ChooseOwnerProps) {
  const isEligible = (member: MemberWithUser) => !member.user.is_bot && member.id !== space.owner_id

  function choose(member: MemberWithUser) {
    onClose()
    onChoose(member)
  }

  return (
    <Modal open onOpenChange={onClose} title={t('Choose a new owner')}>
      <MemberFinder
        space={space}
        accepts={isEligible}
        nobody={t('No other members yet. Invite people first.')}
      >
        {(member, name) => (
          <li key={member.id}>
            <button type="button" className="person-choice" onClick={() => choose(member)}>
              <MemberName space={space} member={member} name={name} />
            </button>
          </li>
        )}
      </MemberFinder>
    </Modal>
  )
}

interface ConfirmTransferProps {
  space: SpaceEntry
  newOwner: MemberWithUser
  onClose: () => void
}

function ConfirmTransfer({ space, newOwner, onClose }: ConfirmTransferProps) {
  const { client, store } = useSession()
  const [needsCode, setNeedsCode] = useState(false)
  const name = useNames(space.id)(newOwner.user)

  async function transfer(code?: string) {
    const body = { user_id: newOwner.id, ...(code !== undefined && { code }) }
    store.adopt('SPACE_UPDATE', await client.spaces.transfer(space.id, body))
  }

  async function transferWithoutCode() {
    try {
      await transfer()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'code_required') throw error
      setNeedsCode(true)
    }
  }

  if (needsCode) return <AskCode action={t('Transfer ownership')} run={transfer} onClose={onClose} />
  return (
    <Confirm
      open
      onOpenChange={() => needsCode || onClose()}
      title={t('Make {name} the owner?', { name })}
      action={t('Transfer ownership')}
      run={transferWithoutCode}
    >
      <p>{t('Only {name} can transfer {space} back to you.', { name, space: space.name })}</p>
    </Confirm>
  )
}
