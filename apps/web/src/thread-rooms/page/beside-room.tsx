import { Maximize2, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { t } from '#src/language/texts.ts'
import { focusComposer } from '#src/messages/composer/composer-focus.ts'
import { PinsButton } from '#src/messages/pins/pins-button.tsx'
import { dropThread, useHasThread } from '#src/messages/reading/open-thread.ts'
import { useSelection } from '#src/messages/selection/selection.ts'
import '#src/messages/threads/thread-panel.css'
import { ThreadSide } from '#src/messages/threads/thread-side.tsx'
import { useSession } from '#src/session/context.ts'
import { ShortcutScope } from '#src/shortcuts/shortcut-scope.ts'
import type { ThreadEntry } from '#src/store/state.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { mainElement } from '#src/ui/focus/main-element.ts'
import { isTouch } from '#src/ui/is-touch.ts'
import './beside-room.css'
import { chooseWhole } from './choose-whole.ts'
import { FollowButton } from './follow-button.tsx'
import { ThreadPane } from './thread-pane.tsx'
import { ThreadTools } from './thread-tools.tsx'
import { useThreadChannel } from './use-thread-channel.ts'

export interface BesideRoomProps {
  entry: ThreadEntry
  messageId: string | undefined
  /** True if the thread was deleted while it was open. */
  isGone: boolean
}

/** A thread in a panel beside its room. Replies cover it until they are closed. */
export function BesideRoom({ entry, messageId, isGone }: BesideRoomProps) {
  const session = useSession()
  const channel = useThreadChannel(entry)
  const isCovered = useHasThread()
  const close = useClose(entry, isGone)
  // Closes an open replies panel, which would cover this panel.
  useEffect(() => dropThread(session), [session])

  return (
    <>
      {!isCovered && (
        <Panel entry={entry} onClose={close}>
          <header className="thread-header">
            <h2 dir="auto">{entry.name}</h2>
            {!isGone && (
              <>
                <PinsButton channel={channel} />
                <FollowButton entry={entry} />
                <ThreadTools entry={entry} channel={channel} />
                <IconButton
                  label={t('Open as a page')}
                  icon={<Maximize2 />}
                  onClick={() => chooseWhole(true)}
                />
              </>
            )}
            <IconButton label={t('Close panel')} icon={<X />} onClick={close} />
          </header>
          {isGone ? (
            <p className="thread-gone" role="status">
              {t('This thread was deleted.')}
            </p>
          ) : (
            <ThreadPane entry={entry} channel={channel} messageId={messageId} />
          )}
        </Panel>
      )}
      <ThreadSide channel={channel} />
    </>
  )
}

interface PanelProps {
  entry: ThreadEntry
  onClose: () => void
  children: ReactNode
}

function Panel({ entry, onClose, children }: PanelProps) {
  const panel = useRef<HTMLElement>(null)
  const isSelecting = useSelection(entry.id) !== null

  function onKeyDown(event: KeyboardEvent) {
    // Escape ends a selection first. Keys in the panel's popups are ignored: popups are outside of the panel in the DOM.
    if (event.key !== 'Escape' || event.defaultPrevented || isSelecting) return
    if (!(event.target instanceof Node) || panel.current?.contains(event.target) !== true) return
    event.stopPropagation()
    onClose()
  }

  return (
    <aside ref={panel} className="thread thread-room" aria-label={entry.name} onKeyDown={onKeyDown}>
      <ShortcutScope value={panel}>{children}</ShortcutScope>
    </aside>
  )
}

/** Returns a function that leaves the thread and moves the focus into the room, if possible to where the thread was opened. */
function useClose({ space_id, parent_id }: ThreadEntry, isGone: boolean): () => void {
  const [from] = useState(() => document.activeElement)
  return () => {
    navigate(`/spaces/${space_id}/rooms/${parent_id}`, { replace: isGone })
    if (from instanceof HTMLElement && from.isConnected && from.closest('.page') !== null)
      return from.focus({ preventScroll: true })
    if (isTouch() || !focusComposer()) mainElement.current?.focus()
  }
}
