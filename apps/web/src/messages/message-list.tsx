import type { Message } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { ArrowDown } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useMemo, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { ProfileCards } from '#src/friends/profile-cards.tsx'
import { useAppState } from '#src/session/context.ts'
import { timelineOf } from '#src/store/selectors.ts'
import { Button } from '#src/ui/button.tsx'
import { moveFocus } from './arrow-keys.ts'
import { DeleteMessage } from './delete-message.tsx'
import { DayDivider, ListTop, LoadingRows, NewDivider } from './list-furniture.tsx'
import './message-list.css'
import { MessageRow } from './message-row.tsx'
import { OutgoingRow } from './outgoing-row.tsx'
import { type Row, timelineRows } from './rows.ts'
import { useHistory } from './use-history.ts'
import { useRead } from './use-read.ts'
import { useTimelineScroll } from './use-timeline-scroll.ts'

interface MessageListProps {
  beginning: ReactNode
  newAfterSeq: number | null
  editingId: string | null
  onEdit: (id: string | null) => void
  /** Grows when the reader wrote something, and wants to see it. */
  sentCount: number
  composer: RefObject<HTMLElement | null>
}

const NONE: never[] = []

export function MessageList(props: MessageListProps) {
  const channel = useChannel()
  const { id, nameOf } = channel
  const { beginning, newAfterSeq, editingId, onEdit, sentCount } = props
  const timeline = useAppState((state) => timelineOf(state, id))
  const outgoing = useAppState((state) => state.outbox[id] ?? NONE)
  const me = useAppState((state) => state.me)
  const mayManage = channel.may(Permission.ManageMessages)
  const [deleting, setDeleting] = useState<Message | null>(null)
  const history = useHistory(channel)
  const { loadOlder, loadNewer, jumpToPresent } = history
  const scroll = useTimelineScroll({ onNearTop: loadOlder, onNearBottom: loadNewer })
  const { scrollToBottom } = scroll
  const myId = me?.id ?? ''
  const messages = timeline?.messages ?? NONE
  const hasNewer = timeline?.hasNewer ?? false
  useRead(channel, scroll.atBottom)

  const rows = useMemo(
    () => timelineRows({ messages, outgoing, myId, newAfterSeq }),
    [messages, outgoing, myId, newAfterSeq],
  )

  function toPresent() {
    if (hasNewer) jumpToPresent()
    scrollToBottom()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the count that asks for it
  useEffect(() => {
    if (sentCount > 0) toPresent()
  }, [sentCount])

  const lastId = messages.at(-1)?.id
  function renderRow(row: Row) {
    if (row.kind === 'day') return <DayDivider key={row.key} date={row.date} />
    if (row.kind === 'new') return <NewDivider key={row.key} />
    if (row.kind === 'outgoing') {
      const name = me === null ? '' : nameOf(me)
      return <OutgoingRow key={row.key} message={row.message} myId={myId} name={name} grouped={row.grouped} />
    }
    const isMine = row.message.author.id === myId
    return (
      <MessageRow
        key={row.key}
        message={row.message}
        name={nameOf(row.message.author, row.message.member)}
        grouped={row.grouped}
        mayEdit={isMine}
        mayDelete={isMine || mayManage}
        isEditing={editingId === row.message.id}
        isTabStop={row.message.id === lastId}
        onEdit={onEdit}
        onDelete={setDeleting}
      />
    )
  }

  return (
    <div className="message-list">
      <div className="message-scroller" ref={scroll.scroller} onScroll={scroll.onScroll}>
        <ListTop timeline={timeline}>{beginning}</ListTop>
        {timeline === undefined && history.error === null && <LoadingRows />}
        <div role="log" aria-live="off" aria-label={`Messages in ${channel.label}`}>
          <ProfileCards spaceId={channel.spaceId} side="right">
            <ol ref={scroll.list} onKeyDown={moveFocus}>
              {rows.map(renderRow)}
            </ol>
          </ProfileCards>
        </div>
        {history.error !== null && (
          <p role="alert" className="list-error">
            {history.error}
            <Button onClick={jumpToPresent}>Try again</Button>
          </p>
        )}
      </div>
      {(hasNewer || !scroll.atBottom) && (
        <Button className="jump-button" onClick={toPresent}>
          <ArrowDown aria-hidden="true" /> Jump to present
        </Button>
      )}
      {deleting !== null && (
        <DeleteMessage
          message={deleting}
          name={nameOf(deleting.author)}
          onClose={() => setDeleting(null)}
          focusAfter={props.composer}
        />
      )}
    </div>
  )
}
