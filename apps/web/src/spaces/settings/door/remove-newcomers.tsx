import { useState } from 'react'
import { counted, t } from '#src/language/texts.ts'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { decideOn, unlessDecided } from './decision.ts'

interface RemoveNewcomersProps {
  space: SpaceEntry
  open: boolean
  onClose: () => void
  userIds: readonly string[]
  /** True to remove everyone at the door, including people who arrive before the server handles the request. */
  isAll: boolean
  onDecided: (userIds: readonly string[]) => void
}

/** Asks to confirm the removal of newcomers and everything they wrote, and offers to ban them. */
export function RemoveNewcomers({ space, open, onClose, userIds, isAll, onDecided }: RemoveNewcomersProps) {
  const { client } = useSession()
  const mayBan = usePermissions(space.id).may('BanMembers')
  const [isBanning, setIsBanning] = useState(false)
  const ban = mayBan && isBanning

  async function remove() {
    if (isAll) await unlessDecided(client.door.remove(space.id, { ban }))
    else await decideOn(userIds, (user_ids) => client.door.remove(space.id, { user_ids, ban }))
    onDecided(userIds)
  }

  return (
    <Confirm
      open={open}
      onOpenChange={onClose}
      title={counted(userIds.length, 'Remove {count} person?', 'Remove {count} people?')}
      action={ban ? t('Remove and ban') : t('Remove')}
      run={remove}
    >
      <p>
        {t(
          'They’re turned away. Everything they wrote in {name} since they joined is deleted, and so are their invites. This can’t be undone.',
          {
            name: space.name,
          },
        )}
      </p>
      {mayBan && (
        <label className="newcomer-ban">
          <input type="checkbox" checked={isBanning} onChange={() => setIsBanning(!isBanning)} />
          <span>{t('Also ban them, so that no invite lets them in again')}</span>
        </label>
      )}
    </Confirm>
  )
}
