import { Menu } from '@base-ui/react/menu'
import { Permission } from '@foyer/protocol/permissions'
import { Ellipsis, Lock, LockOpen, Merge, Moon, Pencil, Sun, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import type { ThreadEntry } from '#src/store/state.ts'
import { isAsleep } from '#src/thread-rooms/in-use/sleep.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { PopupMenu } from '#src/ui/popups/popup-menu.tsx'
import { usePopup } from '#src/ui/popups/use-popup.ts'
import { MergeDialog } from '../moving/merge-dialog.tsx'
import { isPost, threadWords } from '../names/thread-words.ts'
import { changeThread } from './changes.ts'
import { CloseThread } from './close-thread.tsx'
import { DeleteThread } from './delete-thread.tsx'
import { EditThread } from './edit-thread.tsx'

interface ThreadToolsProps {
  entry: ThreadEntry
  channel: OpenChannel
}

type Opened = 'edit' | 'close' | 'merge' | 'delete' | null

/** Changes to the thread, for moderators and its creator. */
export function ThreadTools({ entry, channel }: ThreadToolsProps) {
  const { isWanted, trigger, popup } = usePopup({ kind: 'menu' })
  const [opened, setOpened] = useState<Opened>(null)
  const isCreator = useAppState(({ me }) => me?.id === entry.thread.creator_id)
  const isManager = channel.may('ManageThreads')
  const mayChange = isManager || (isCreator && channel.may(Permission.SendMessages))
  if (!mayChange) return null
  const close = () => setOpened(null)
  const words = threadWords(entry.thread)
  return (
    <>
      <IconButton {...trigger} label={words.options} icon={<Ellipsis />} />
      {isWanted && (
        <PopupMenu popup={popup} label={words.options}>
          <Changes entry={entry} onOpen={setOpened} />
          {/* Only posts: threads of text rooms are merged from the list of their room. */}
          {isManager && isPost(entry.thread) && (
            <Menu.Item className="menu-item" onClick={() => setOpened('merge')}>
              <Merge aria-hidden="true" /> {t('Merge into another post…')}
            </Menu.Item>
          )}
          {isManager && (
            <Menu.Item className="menu-item menu-danger" onClick={() => setOpened('delete')}>
              <Trash2 aria-hidden="true" /> {words.delete}
            </Menu.Item>
          )}
        </PopupMenu>
      )}
      {opened === 'edit' && <EditThread entry={entry} onClose={close} />}
      {opened === 'close' && <CloseThread entry={entry} onClose={close} />}
      {opened === 'merge' && <MergeDialog thread={entry.thread} onClose={close} />}
      {opened === 'delete' && <DeleteThread entry={entry} onClose={close} />}
    </>
  )
}

function Changes({ entry, onOpen }: { entry: ThreadEntry; onOpen: (opened: Opened) => void }) {
  const session = useSession()
  const { is_closed } = entry.thread
  const words = threadWords(entry.thread)
  const sleeps = isAsleep(entry, Date.now())
  // An error needs no message, since the thread visibly stays as it was.
  const change = (body: { is_closed?: boolean; is_asleep?: boolean }) =>
    void changeThread(session, entry.id, body).catch(() => undefined)
  return (
    <>
      <Menu.Item className="menu-item" onClick={() => onOpen('edit')}>
        <Pencil aria-hidden="true" /> {words.editMore}
      </Menu.Item>
      {!is_closed && (
        <Menu.Item className="menu-item" onClick={() => change({ is_asleep: !sleeps })}>
          {sleeps ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />}{' '}
          {sleeps ? words.wake : words.rest}
        </Menu.Item>
      )}
      {is_closed ? (
        <Menu.Item className="menu-item" onClick={() => change({ is_closed: false })}>
          <LockOpen aria-hidden="true" /> {words.reopen}
        </Menu.Item>
      ) : (
        <Menu.Item className="menu-item" onClick={() => onOpen('close')}>
          <Lock aria-hidden="true" /> {words.closeMore}
        </Menu.Item>
      )}
    </>
  )
}
