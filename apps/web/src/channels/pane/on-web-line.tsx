import { Globe } from 'lucide-react'
import { useOpenSettings } from '#src/account/open-settings.tsx'
import { t } from '#src/language/texts.ts'
import { mayEveryoneView } from '#src/permissions/rights.ts'
import { useAppState } from '#src/session/context.ts'
import { ownerRoomOf } from '#src/store/channels.ts'
import type { State } from '#src/store/state.ts'
import { useChannel } from '../channel-context.ts'
import './pane-line.css'

/** Warns that everyone on the internet can read the messages, in rooms and in their threads. */
export function OnWebLine() {
  const { id } = useChannel()
  const openSettings = useOpenSettings()
  const isOnWeb = useAppState((state) => isReadableOnWeb(state, id))
  if (!isOnWeb) return null
  return (
    <p className="pane-line">
      <Globe aria-hidden="true" />
      <span>{t('Everyone can read this on the web')}</span>
      <button type="button" onClick={() => openSettings('privacy')}>
        {t('Your name on the web')}
      </button>
    </p>
  )
}

/** Returns true if the room has a web page now. A room that is hidden, or whose space is frozen, has none despite the setting. */
function isReadableOnWeb(state: State, id: string): boolean {
  const room = state.rooms[ownerRoomOf(state, id)]
  const space = state.spaces[room?.space_id ?? '']
  return (
    room?.web !== undefined && !space?.frozen_at && space !== undefined && mayEveryoneView(space, room.id)
  )
}
