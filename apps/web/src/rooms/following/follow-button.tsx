import type { Room } from '@foyer/protocol/rooms'
import { Rss } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'

const FollowDialog = lazyPopup(() => import('./follow-dialog.tsx').then((module) => module.FollowDialog))

/** Opens the dialog that lets another room follow this one. */
export function FollowButton({ room }: { room: Room }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton label={t('Follow')} icon={<Rss />} className="header-spare" onClick={() => setOpen(true)} />
      {open && <FollowDialog room={room} onClose={() => setOpen(false)} />}
    </>
  )
}
