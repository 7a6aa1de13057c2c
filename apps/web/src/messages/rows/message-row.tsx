import { type Message, ReferenceType } from '@foyer/protocol/messages'
import { type KeyboardEvent, memo, useRef, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { nameOfAuthor } from '#src/members/author-name.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { mentionsMe } from '#src/store/messages/read-states.ts'
import { copyText, notCopied } from '#src/ui/buttons/clipboard.ts'
import { isWithin, staysWithin } from '#src/ui/lists/is-within.ts'
import { lazyAside, lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { formatClock } from '#src/ui/time/time.ts'
import { Byline } from '../content/byline.tsx'
import { MessageBody } from '../content/message-body.tsx'
import { useReacting } from '../reactions/use-reacting.ts'
import type { RowControls } from './message-actions.ts'
import type { Opened } from './message-dialogs.tsx'
import './message-row.css'
// Imported here so that the lazy chunk does not load the stylesheet twice.
import './message-tools.css'
import { RowFocus } from '#src/ui/focus/row-focus.ts'
import { CommandLine, ReplyLine } from '../content/reply-line.tsx'
import { isSystem, SystemMessage } from '../content/system-message.tsx'
import { SelectBox } from '../selection/select-box.tsx'
import { toggleSelected, useSelection } from '../selection/selection.ts'
import { RowNotice } from './row-notice.tsx'
import { useRowMenu } from './use-row-menu.ts'

const MessageTools = lazyAside(() => import('./message-tools.tsx').then((module) => module.MessageTools))

const MessageDialogs = lazyPopup(() =>
  import('./message-dialogs.tsx').then((module) => module.MessageDialogs),
)

export interface MessageRowProps {
  message: Message
  name: string
  grouped: boolean
  mayEdit: boolean
  mayDelete: boolean
  isEditing: boolean
  /** True if this message is the list's only Tab stop. */
  isTabStop: boolean
  onEdit: (id: string | null) => void
  onDelete: (message: Message) => void
}

/** Input that moved the focus into the message. */
type Focus = 'none' | 'pointer' | 'keyboard'

export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { message, isEditing, isTabStop } = props
  const session = useSession()
  const row = useRef<HTMLLIElement>(null)
  const [focus, setFocus] = useState<Focus>('none')
  const hasFocus = focus !== 'none'
  const [isPointedAt, setIsPointedAt] = useState(false)
  const isMention = useAppState((state) => mentionsMe(state, message))
  const selected = useSelection(message.room_id ?? message.conversation_id ?? '')
  const menu = useRowMenu()
  const earlyKey = useRef<globalThis.KeyboardEvent>(null)
  const [opened, setOpened] = useState<Opened>(null)
  const { react, problem, setProblem } = useReacting(message)
  const [notice, setNotice] = useState('')
  const isPicking = opened?.kind === 'picker'
  const hasTools = focus === 'keyboard' || isPointedAt || menu.at !== null || isPicking
  const isSelecting = selected !== null
  const isSelected = selected?.includes(message.id) === true
  const name = nameOfAuthor(message, () => props.name)
  const { threadId } = useChannel()
  const isReply = message.reference?.type === ReferenceType.Reply && !isSystem(message)
  // The top of a thread already shows the message that its replies refer to.
  const isFollowing = threadId === message.reference?.message_id
  const grouped = props.grouped && !isReply && message.interaction === null

  async function copy(text: string, done: string) {
    const isCopied = await copyText(text)
    setNotice(isCopied ? done : '')
    if (!isCopied) setProblem(notCopied)
  }

  function onKeyDown(event: KeyboardEvent) {
    earlyKey.current = focus === 'keyboard' && !event.defaultPrevented ? event.nativeEvent : null
    if (!isSelecting || event.key !== ' ' || event.target !== row.current) return
    // Keeps the list from scrolling.
    event.preventDefault()
    toggleSelected(session, message.id)
  }

  return (
    <li
      ref={row}
      className="message"
      data-row={message.id}
      data-grouped={grouped || undefined}
      data-editing={isEditing || undefined}
      data-mention={isMention || undefined}
      data-selecting={isSelecting || undefined}
      data-selected={isSelected || undefined}
      data-tools={menu.at !== null || isPicking ? 'open' : focus === 'keyboard' ? 'focus' : undefined}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={`${name}, ${formatClock(message.created_at)}${isMention ? `, ${t('mentions you')}` : ''}`}
      onFocus={(event) => isWithin(event) && setFocus(focusOf(event.target))}
      onBlur={(event) => {
        earlyKey.current = null
        if (!staysWithin(event)) setFocus('none')
      }}
      onPointerEnter={({ pointerType }) => setIsPointedAt(pointerType !== 'touch')}
      onPointerLeave={() => setIsPointedAt(false)}
      onClick={isSelecting ? () => toggleSelected(session, message.id) : undefined}
      onKeyDown={onKeyDown}
      {...(isEditing || isSelecting ? {} : menu.handlers)}
    >
      <RowFocus value={hasFocus && !isSelecting}>
        {isSelecting && <SelectBox message={message} name={name} isSelected={isSelected} />}
        {isReply && !isFollowing && (
          <ReplyLine referenced={message.referenced_message} mentions={mentionsAnswered(message)} />
        )}
        {message.interaction !== null && <CommandLine interaction={message.interaction} />}
        {isSystem(message) ? (
          <SystemMessage message={message} name={name} />
        ) : (
          <Byline
            author={message.author}
            member={message.member}
            name={name}
            time={message.created_at}
            grouped={grouped}
            isWebhook={message.webhook_id !== null}
            isPinned={message.pinned}
            flags={message.flags}
          />
        )}
        <MessageBody
          message={message}
          isEditing={isEditing}
          isGrouped={grouped}
          onEditDone={() => props.onEdit(null)}
          onReact={react}
          onListReactions={(emoji) => setOpened({ kind: 'reactions', emoji })}
        />
        {problem !== null && (
          <p role="alert" className="form-error message-problem">
            {problem}
          </p>
        )}
        {(hasTools || notice !== '') && <RowNotice words={notice} onChange={setNotice} />}
        {hasTools && !isEditing && !isSelecting && (
          <MessageTools
            message={message}
            controls={{ ...controlsOf(props, setOpened), copy }}
            row={row}
            earlyKey={earlyKey}
            isPicking={isPicking}
            onPick={(picks) => setOpened(picks ? { kind: 'picker' } : null)}
            onReact={react}
            onProblem={setProblem}
            menuAt={menu.at}
            openMenu={menu.open}
            closeMenu={menu.close}
          />
        )}
        {opened !== null && (
          <MessageDialogs message={message} opened={opened} onClose={() => setOpened(null)} />
        )}
      </RowFocus>
    </li>
  )
})

function controlsOf(
  props: MessageRowProps,
  open: (what: Opened) => void,
): Omit<RowControls, 'copy' | 'report' | 'threads'> {
  const { message, mayEdit, mayDelete, onEdit, onDelete } = props
  return {
    mayEdit,
    mayDelete,
    edit: () => onEdit(message.id),
    askDelete: () => onDelete(message),
    pick: () => open({ kind: 'picker' }),
    forward: () => open({ kind: 'forward' }),
    listReactions: () => open({ kind: 'reactions', emoji: message.reactions[0]?.emoji ?? '' }),
  }
}

/** Returns true if the reply notified the author of the original message. */
function mentionsAnswered({ mentions, referenced_message }: Message): boolean {
  return mentions.some(({ id }) => id === referenced_message?.author.id)
}

function focusOf(element: Element): Focus {
  return element.matches(':focus-visible') ? 'keyboard' : 'pointer'
}
