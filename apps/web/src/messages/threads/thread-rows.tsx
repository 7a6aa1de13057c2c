import type { Message } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useChannel } from '#src/channels/channel-context.ts'
import { ProfileCards } from '#src/friends/profiles/profile-cards.tsx'
import { counted, t } from '#src/language/texts.ts'
import { useIsFrozen, useIsTimedOut } from '#src/permissions/use-permissions.ts'
import { useAppState } from '#src/session/context.ts'
import type { OutgoingMessage } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { BlockedLine } from '../blocked/blocked-line.tsx'
import { type ShowBlocked, useBlockedRuns } from '../blocked/use-blocked-runs.ts'
import { MessageRow } from '../rows/message-row.tsx'
import { OutgoingRow } from '../rows/outgoing-row.tsx'
import { rowByKey } from '../timeline/arrow-keys.ts'
import type { Row } from '../timeline/rows.ts'
import type { useThread } from './use-thread.ts'

interface ThreadRowsProps {
  thread: ReturnType<typeof useThread>
  editingId: string | null
  /** Incremented when the user sends a reply; scrolls to it. */
  sentCount: number
  onEdit: (id: string | null) => void
  onDelete: (message: Message) => void
}

/** Distance from the end within which new replies are followed. */
const BOTTOM_PX = 48

const NONE: readonly OutgoingMessage[] = []

/** The first message, the reply count, and the replies, of which the latest are loaded first. */
export function ThreadRows({ thread, editingId, sentCount, onEdit, onDelete }: ThreadRowsProps) {
  const { first, replies, hasEarlier, earlier } = thread
  const channel = useChannel()
  const isTimedOut = useIsTimedOut(channel.spaceId)
  const isFrozen = useIsFrozen(channel.spaceId)
  const me = useAppState((state) => state.me)
  const [focused, setFocused] = useState<string | null>(null)
  const outgoing = useOutgoing(first, replies)
  const box = useFollowing(replies.length + outgoing.length, sentCount)
  const top = useThreadRows(first === undefined ? [] : [first])
  const { rows, showBlocked } = useThreadRows(replies)
  const keys = [...top.rows, ...rows].map(({ key }) => key)
  // The focused message may have been collapsed or deleted since.
  const stop = focused !== null && keys.includes(focused) ? focused : keys.at(-1)
  const mayManage = channel.may(Permission.ManageMessages)

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const next = rowByKey(event, keys)
    if (next === null) return
    event.preventDefault()
    rowIn(box.current, next)?.focus()
  }

  function showEarlier() {
    const { key = '' } = rows.find(({ kind }) => kind === 'message') ?? {}
    thread.loadEarlier((change) => {
      keepScroll(box.current, () => flushSync(change))
      // The button that had the focus disappears with the last page.
      if (document.activeElement === document.body) rowIn(box.current, key)?.focus({ preventScroll: true })
    })
  }

  function renderRow(row: Row, onShow: ShowBlocked) {
    if (row.kind === 'blocked')
      return <BlockedLine key={row.key} row={row} isTabStop={row.key === stop} onShow={onShow} />
    if (row.kind !== 'message') return null
    const { message } = row
    const isMine = message.author.id === me?.id
    return (
      <MessageRow
        key={row.key}
        message={message}
        name={channel.nameOf(message.author, message.member)}
        grouped={false}
        mayEdit={isMine && !isTimedOut && !isFrozen}
        mayDelete={(isMine && !isFrozen) || mayManage}
        isEditing={editingId === row.key}
        isTabStop={row.key === stop}
        onEdit={onEdit}
        onDelete={onDelete}
      />
    )
  }

  return (
    <div ref={box} className="thread-scroller">
      <ProfileCards spaceId={channel.spaceId} side="inline-start">
        <ol
          aria-label={t('Message and replies')}
          onKeyDown={onKeyDown}
          onFocus={({ target }) => setFocused(target.closest<HTMLElement>('[data-row]')?.dataset.row ?? null)}
        >
          {first === undefined ? (
            <li className="thread-gone">{t('The original message was deleted.')}</li>
          ) : (
            top.rows.map((row) => renderRow(row, top.showBlocked))
          )}
          <li className="thread-divider">
            {hasEarlier ? t('Replies') : counted(replies.length, '{count} reply', '{count} replies')}
          </li>
          {hasEarlier && (
            <li className="thread-earlier">
              <Button pending={earlier.pending} onClick={showEarlier}>
                {t('Show earlier replies')}
              </Button>
              {earlier.error !== null && (
                <p role="alert" className="form-error">
                  {earlier.error}
                </p>
              )}
            </li>
          )}
          {rows.map((row) => renderRow(row, showBlocked))}
          {me !== null &&
            outgoing.map((message) => (
              <OutgoingRow
                key={message.nonce}
                message={message}
                myId={me.id}
                name={channel.nameOf(me)}
                grouped={false}
              />
            ))}
        </ol>
      </ProfileCards>
    </div>
  )
}

function useThreadRows(messages: readonly Message[]) {
  return useBlockedRuns(
    messages.map((message): Row => ({ kind: 'message', key: message.id, message, grouped: false })),
  )
}

/** Returns the messages being sent to the thread. */
function useOutgoing(first: Message | undefined, replies: readonly Message[]): readonly OutgoingMessage[] {
  const { id } = useChannel()
  const outbox = useAppState((state) => state.outbox[id] ?? NONE)
  const ids = new Set([first, ...replies].map((message) => message?.id))
  // A reply may arrive here before it leaves the outbox.
  const arrived = new Set(replies.map((message) => message.nonce))
  return outbox.filter(({ nonce, options }) => ids.has(options.reference?.message_id) && !arrived.has(nonce))
}

function rowIn(box: HTMLElement | null, id: string): HTMLElement | null {
  return box?.querySelector<HTMLElement>(`[data-row="${id}"]`) ?? null
}

/** Keeps the visible replies in place while earlier ones are added above. */
function keepScroll(box: HTMLElement | null, show: () => void): void {
  const belowTop = box === null ? 0 : box.scrollHeight - box.scrollTop
  show()
  if (box !== null) box.scrollTop = box.scrollHeight - belowTop
}

/** Scrolls to the end: at first, on new replies if the user is already there, and after the user sends one. */
function useFollowing(count: number, sentCount: number) {
  const box = useRef<HTMLDivElement>(null)
  // Makes the first render scroll to the end, as after sending a reply.
  const before = useRef({ count, sentCount: -1 })

  useLayoutEffect(() => {
    const { current: element } = box
    const isMine = before.current.sentCount !== sentCount
    const isMore = before.current.count < count
    before.current = { count, sentCount }
    if (element === null || !(isMine || isMore)) return
    const added = element.querySelector('ol > li:last-child')?.getBoundingClientRect().height ?? 0
    const below = element.scrollHeight - element.scrollTop - element.clientHeight - added
    if (isMine || below < BOTTOM_PX) element.scrollTop = element.scrollHeight
  }, [count, sentCount])

  return box
}
