import { RESTORABLE_DAYS } from '@foyer/protocol/limits'
import { Administration } from '@foyer/sdk/api/administration'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { ConfirmByName } from '#src/ui/dialogs/confirm-by-name.tsx'
import { serverNow } from '#src/ui/time/server-clock.ts'
import { ReasonDialog } from '../reason-dialog.tsx'
import { operatorWords } from '../words.ts'
import type { DialogProps, SpaceAction } from './dialog-props.ts'
import { RestoreSpace } from './restore-space.tsx'

const DAY_MS = 24 * 60 * 60 * 1000

const dialogs = {
  freeze: Freeze,
  unfreeze: Unfreeze,
  hold: Hold,
  release: Release,
  delete: Delete,
  restore: RestoreSpace,
}

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
      <p>{t('Everyone gets back the permissions they had before.')}</p>
    </Confirm>
  )
}

function Hold({ found, onChange, onClose }: DialogProps) {
  const { client } = useSession()
  const { id, name } = found.space

  async function hold(reason: string | null) {
    onChange(
      await client.api(Administration).holdSpace(id, { reason }),
      t('{name} is on legal hold.', { name }),
    )
  }

  return (
    <ReasonDialog
      title={t('Place {name} on legal hold?', { name })}
      description={t(
        'Until you release the hold, old messages aren’t deleted automatically, and the space isn’t erased even if someone deletes it. People can still delete messages themselves. Members don’t see the hold.',
      )}
      action={t('Place legal hold')}
      run={hold}
      onClose={onClose}
    />
  )
}

function Release({ found, onChange, onClose }: DialogProps) {
  const { client } = useSession()
  const { id, name } = found.space

  async function release() {
    onChange(
      await client.api(Administration).releaseSpace(id),
      t('{name} is no longer on legal hold.', { name }),
    )
  }

  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Release the legal hold on {name}?', { name })}
      action={t('Release legal hold')}
      words={operatorWords}
      run={release}
    >
      <p>
        {t(
          'Messages past the space’s time limit will be deleted soon. A space that was deleted over {days} days ago will be erased.',
          { days: RESTORABLE_DAYS },
        )}
      </p>
    </Confirm>
  )
}

function Delete({ found, onChange, onClose, focusAfter }: DialogProps) {
  const { client } = useSession()
  const { id, name } = found.space

  async function remove() {
    await client.api(Administration).deleteSpace(id)
    const deleted_at = new Date(serverNow()).toISOString()
    const restorable_until = new Date(serverNow() + RESTORABLE_DAYS * DAY_MS).toISOString()
    onChange({ ...found, deleted_at, restorable_until }, t('{name} was deleted.', { name }))
  }

  return (
    <ConfirmByName
      name={name}
      title={t('Delete {name}?', { name })}
      description={t(
        'This deletes the space, its rooms and every message in them, for everyone. You can bring it back within {days} days, under “Deleted spaces”. Then it’s erased for good.',
        { days: RESTORABLE_DAYS },
      )}
      action={t('Delete space')}
      words={operatorWords}
      onConfirm={remove}
      onClose={onClose}
      focusAfter={focusAfter}
    />
  )
}
