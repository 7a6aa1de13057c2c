import { RESTORABLE_DAYS } from '@foyer/protocol/limits'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { ConfirmByName } from '#src/ui/dialogs/confirm-by-name.tsx'

export function DeleteSpace({ space }: { space: SpaceEntry }) {
  const [open, setOpen] = useState(false)
  return (
    <div className="settings-line">
      <p>
        <strong>{t('Delete this space')}</strong>
        <span>{t('All rooms and messages disappear for everyone.')}</span>
      </p>
      <Button look="danger" onClick={() => setOpen(true)}>
        {t('Delete space')}
      </Button>
      {open && <DeleteDialog space={space} onClose={() => setOpen(false)} />}
    </div>
  )
}

function DeleteDialog({ space, onClose }: { space: SpaceEntry; onClose: () => void }) {
  const { client, store } = useSession()
  const [, navigate] = useLocation()

  async function remove() {
    await client.spaces.delete(space.id)
    navigate('/home')
    store.adopt('SPACE_DELETE', { space_id: space.id })
  }

  return (
    <ConfirmByName
      name={space.name}
      title={t('Delete {name}?', { name: space.name })}
      description={t(
        'This deletes the space, its rooms and every message in them, for everyone. Only the administrators of this server can bring it back, within {days} days.',
        { days: RESTORABLE_DAYS },
      )}
      action={t('Delete space')}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}
