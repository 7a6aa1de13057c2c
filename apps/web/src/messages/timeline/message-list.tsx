import type { Message } from '@foyer/protocol/messages'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { ProfileCards } from '#src/friends/profiles/profile-cards.tsx'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { useShortcut } from '#src/shortcuts/use-shortcut.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { lazyAside, lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { rowByKey } from './arrow-keys.ts'
import { PresentButton } from './jump-bar.tsx'
import { ListTop, LoadingRows } from './list-parts.tsx'
import './message-list.css'
import { markRead } from '#src/unread/read-marks.ts'
import { ListItems } from './list-items.tsx'
import { isStop } from './rows.ts'
import { useTimeline } from './use-timeline.ts'

const UnreadBar = lazyAside(() => import('./unread-bar.tsx').then((module) => module.UnreadBar))
const DeleteMessage = lazyPopup(() =>
  import('../editing/delete-message.tsx').then((module) => module.DeleteMessage),
)

interface MessageListProps {
  /** Shown above the first message. */
  beginning: ReactNode
  /** Message named in the page's URL. */
  messageId: string | undefined
  editingId: string | null
  onEdit: (id: string | null) => void
  /** Incremented when the user sends a message; scrolls to it. */
  sentCount: number
  composer: RefObject<HTMLElement | null>
}

export function MessageList(props: MessageListProps) {
  const { messageId, editingId, onEdit, sentCount } = props
  const session = useSession()
  const channel = useChannel()
  const unreadCount = useAppState((state) => state.readStates[channel.id]?.unread_count ?? 0)
  const { timeline, rows, unread, history, scroll, list, ...shown } = useTimeline(messageId, editingId)
  const [deleting, setDeleting] = useState<Message | null>(null)
  const hasNewer = timeline?.hasNewer === true
  const first = rows.find(({ kind }) => kind === 'new')
  const count = first?.kind === 'new' ? first.count : (unread.range?.count ?? 0)

  function toPresent() {
    session.store.dispatch('channel_entered', { channel_id: channel.id })
    if (hasNewer) void history.toPresent()
    scroll.scrollToBottom()
  }

  function markAsRead() {
    unread.dismiss()
    // If the request fails, viewing the end of the list again marks the channel as read.
    void markRead(session, channel.address).catch(() => undefined)
  }

  useShortcut('mark-read', () => {
    unread.clear()
    markAsRead()
    toPresent()
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the count changes
  useEffect(() => {
    if (sentCount === 0) return
    unread.clear()
    toPresent()
  }, [sentCount])

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const keys = rows.filter(isStop).map(({ key }) => key)
    const next = rowByKey(event, keys)
    if (next === null) return
    event.preventDefault()
    scroll.focusRow(next)
  }

  return (
    <div className="message-list" data-channel={channel.id}>
      <div className="message-scroller" ref={scroll.scroller} onScroll={scroll.onScroll}>
        <ListTop timeline={timeline}>{props.beginning}</ListTop>
        {timeline === undefined && history.error === null && <LoadingRows />}
        <div role="log" aria-live="off" aria-label={t('Messages in {label}', { label: channel.label })}>
          <ProfileCards spaceId={channel.spaceId} side="inline-end">
            <ol
              ref={list}
              onKeyDown={onKeyDown}
              onKeyDownCapture={({ currentTarget }) => noteInput(currentTarget, 'keys')}
              onFocus={({ currentTarget, target }) =>
                target.matches(':focus-visible') && noteInput(currentTarget, 'keys')
              }
              onPointerMove={({ currentTarget }) => noteInput(currentTarget, 'pointer')}
            >
              <ListItems
                items={scroll.items}
                tabStop={shown.focused}
                editingId={editingId}
                onEdit={onEdit}
                onDelete={setDeleting}
                onShowBlocked={shown.showBlocked}
              />
            </ol>
          </ProfileCards>
        </div>
        {hasNewer && <LoadingRows />}
        {history.error !== null && (
          <p role="alert" className="list-error">
            {history.error}
            <Button onClick={() => void history.toPresent()}>{t('Try again')}</Button>
          </p>
        )}
      </div>
      {shown.isUnreadAbove && !unread.isDismissed && unread.range !== null && count > 0 && (
        <UnreadBar count={count} since={shown.unreadSince} onShow={shown.showUnread} onRead={markAsRead} />
      )}
      <p role="status" className={shown.isGone ? 'jump-notice' : 'visually-hidden'}>
        {shown.isGone && t('That message no longer exists. It was here.')}
      </p>
      {(hasNewer || !scroll.atBottom) && <PresentButton count={unreadCount} onClick={toPresent} />}
      {deleting !== null && (
        <DeleteMessage
          message={deleting}
          name={channel.nameOf(deleting.author)}
          onClose={() => setDeleting(null)}
          focusAfter={props.composer}
        />
      )}
    </div>
  )
}

/** Records which input was used last, for styles that show tools on the focused message or on the one under the pointer. */
function noteInput(list: HTMLElement, input: 'keys' | 'pointer'): void {
  if (list.dataset.input !== input) list.dataset.input = input
}
