import type { Room } from '@foyer/protocol/rooms'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'

const FollowDialog = lazyPopup(() => import('./follow-dialog.tsx').then((module) => module.FollowDialog))

/** Replaces the composer of an announcement room for members who only read it. */
export function FollowOffer({ room }: { room: Room }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      {t('Only some members can write here.')}{' '}
      <Button look="text" onClick={() => setOpen(true)}>
        {t('Follow this room…')}
      </Button>
      {open && <FollowDialog room={room} onClose={() => setOpen(false)} />}
    </>
  )
}
