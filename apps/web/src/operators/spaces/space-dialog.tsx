import type { OperatorSpace } from '@foyer/protocol/operators'
import { Administration } from '@foyer/sdk/api/administration'
import type { RefObject } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { ConfirmByName } from '#src/ui/dialogs/confirm-by-name.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'
import { operatorWords } from '../words.ts'

/** An action on a space. */
export type SpaceAction = 'freeze' | 'unfreeze' | 'delete'

interface DialogProps {
  found: OperatorSpace
  /** Called with the changed space, or null for a deleted one, and a text about it. */
  onChange: (changed: OperatorSpace | null, message: string) => void
  onClose: () => void
  focusAfter: RefObject<HTMLElement | null>
}

const dialogs = { freeze: Freeze, unfreeze: Unfreeze, delete: Delete }

/** Confirms an action on a space. */
export function SpaceDialog({ action, ...props }: DialogProps & { action: SpaceAction }) {
  const Dialog = dialogs[action]
  return <Dialog {...props} />
}

function Freeze({ found, onChange, onClose }: DialogProps) {
  const { client } = useSession()
  const { id, name } = found.space

  async function freeze(reason: string | null) {
    onChange(await client.api(Administration).freezeSpace(id, { reason }), t('{name} is frozen.', { name }))
  }

  return (
    <ReasonDialog
      title={t('Freeze {name}?', { name })}
      description={t(
        'Everyone in it can only read and leave, including its owner: nobody can write, join, call or change anything, and its webhooks stop. Members see that it’s frozen, but not the reason. You can unfreeze it at any time.',
      )}
      action={t('Freeze space')}
      run={freeze}
      onClose={onClose}
    />
  )
}

function Unfreeze({ found, onChange, onClose }: DialogProps) {
  const { client } = useSession()
  const { id, name } = found.space

  async function unfreeze() {
    onChange(await client.api(Administration).unfreezeSpace(id), t('{name} is no longer frozen.', { name }))
  }

  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Unfreeze {name}?', { name })}
      action={t('Unfreeze space')}
      look="primary"
      words={operatorWords}
      run={unfreeze}
    >
      <p>{t('Everyone gets the permissions back that they had before.')}</p>
    </Confirm>
  )
}

function Delete({ found, onChange, onClose, focusAfter }: DialogProps) {
  const { client } = useSession()
  const { id, name } = found.space

  async function remove() {
    await client.api(Administration).deleteSpace(id)
    onChange(null, t('{name} was deleted.', { name }))
  }

  return (
    <ConfirmByName
      name={name}
      title={t('Delete {name}?', { name })}
      description={t(
        'This deletes the space, its rooms and every message in them, for everyone. This can’t be undone.',
      )}
      action={t('Delete space')}
      words={operatorWords}
      onConfirm={remove}
      onClose={onClose}
      focusAfter={focusAfter}
    />
  )
}
