import type { Message } from '@foyer/protocol/messages'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { ProfileCards } from '#src/friends/profile-cards.tsx'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { useShortcut } from '#src/shortcuts/use-shortcut.ts'
import { Button } from '#src/ui/button.tsx'
import { lazyAside, lazyPopup } from '#src/ui/lazy-popup.tsx'
import { rowByKey } from './arrow-keys.ts'
import { PresentButton } from './jump-bar.tsx'
import { ListTop, LoadingRows } from './list-furniture.tsx'
import './message-list.css'
import { ListItems } from './list-items.tsx'
import { markRead } from './read-marks.ts'
import { isStop } from './rows.ts'
import { useTimeline } from './use-timeline.ts'

const NewsBar = lazyAside(() => import('./news-bar.tsx').then((module) => module.NewsBar))
const DeleteMessage = lazyPopup(() => import('./delete-message.tsx').then((module) => module.DeleteMessage))

interface MessageListProps {
  /** What stands above the first message. */
  beginning: ReactNode
  /** The message that the page's address names. */
  messageId: string | undefined
  editingId: string | null
  onEdit: (id: string | null) => void
  /** Grows when the reader wrote something, and wants to see it. */
  sentCount: number
  composer: RefObject<HTMLElement | null>
}

export function MessageList(props: MessageListProps) {
  const { messageId, editingId, onEdit, sentCount } = props
  const session = useSession()
  const channel = useChannel()
  const unread = useAppState((state) => state.readStates[channel.id]?.unread_count ?? 0)
  const { timeline, rows, news, history, scroll, list, ...shown } = useTimeline(messageId, editingId)
  const [deleting, setDeleting] = useState<Message | null>(null)
  const hasNewer = timeline?.hasNewer === true
  const first = rows.find(({ kind }) => kind === 'new')
  const count = first?.kind === 'new' ? first.count : (news.range?.count ?? 0)

  function toPresent() {
    session.store.dispatch('channel_entered', { channel_id: channel.id })
    if (hasNewer) void history.toPresent()
    scroll.scrollToBottom()
  }

  function markAsRead() {
    news.tell()
    // What could not be told is told once the end was seen.
    void markRead(session, channel.address).catch(() => undefined)
  }

  useShortcut('mark-read', () => {
    news.clear()
    markAsRead()
    toPresent()
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the count that asks for it
  useEffect(() => {
    if (sentCount === 0) return
    news.clear()
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
    <div className="message-list">
      <div className="message-scroller" ref={scroll.scroller} onScroll={scroll.onScroll}>
        <ListTop timeline={timeline}>{props.beginning}</ListTop>
        {timeline === undefined && history.error === null && <LoadingRows />}
        <div role="log" aria-live="off" aria-label={t('Messages in {label}', { label: channel.label })}>
          <ProfileCards spaceId={channel.spaceId} side="inline-end">
            <ol ref={list} onKeyDown={onKeyDown}>
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
      {shown.isNewsAbove && !news.isTold && news.range !== null && count > 0 && (
        <NewsBar count={count} since={shown.newsSince} onShow={shown.showNews} onRead={markAsRead} />
      )}
      <p role="status" className={shown.isGone ? 'jump-notice' : 'visually-hidden'}>
        {shown.isGone && t('That message is not there any more. This is where it was.')}
      </p>
      {(hasNewer || !scroll.atBottom) && <PresentButton count={unread} onClick={toPresent} />}
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
