import { EmbedType } from '@foyer/protocol/embeds'
import { type Message, MessageFlag, MessageType } from '@foyer/protocol/messages'
import { Suspense } from 'react'
import { MessageFiles } from '#src/attachments/message-files.tsx'
import { t } from '#src/language/texts.ts'
import { MentionedContext } from '#src/mentions/mentioned.ts'
import { useStarted } from '#src/thread-rooms/starting/starters.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { fetchedSoon, lazyAside } from '#src/ui/loading/lazy-popup.tsx'
import { MessageEmbeds } from '../embeds/message-embeds.tsx'
import { Reactions } from '../reactions/reactions.tsx'
import { Marks } from './byline.tsx'
import { EditedMark } from './edited-mark.tsx'
import { Forwarded } from './forwarded.tsx'
import { MessageStickers } from './message-stickers.tsx'
import { MessageText } from './message-text.tsx'
import { isSystem } from './system-message.tsx'
import { ThreadLine } from './thread-line.tsx'

const loadEditor = fetchedSoon(() =>
  import('../editing/message-editor.tsx').then((module) => module.MessageEditor),
)
const MessageEditor = lazyComponent(loadEditor)
const MessageExtras = lazyComponent(() =>
  import('./message-extras.tsx').then((module) => module.MessageExtras),
)

const StarterLine = lazyAside(() =>
  import('#src/thread-rooms/starting/starter-line.tsx').then((module) => module.StarterLine),
)

interface MessageBodyProps {
  message: Message
  isEditing: boolean
  isGrouped: boolean
  onEditDone: () => void
  onReact: (emoji: string) => void
  onListReactions: (emoji: string) => void
}

/** Content, attachments and reactions of a message. Rare parts are loaded lazily. */
export function MessageBody(props: MessageBodyProps) {
  const { message, isEditing, isGrouped } = props
  const started = useStarted(message.id)
  const content = <MessageContent message={message} isGrouped={isGrouped} />
  return (
    <div className="message-body">
      <MentionedContext value={message}>
        {isEditing ? (
          <Suspense fallback={content}>
            <MessageEditor message={message} onDone={props.onEditDone} />
          </Suspense>
        ) : (
          content
        )}
        {message.snapshot !== null && <Forwarded message={message} snapshot={message.snapshot} />}
        {message.attachments.length > 0 && <MessageFiles attachments={message.attachments} />}
        <MessageStickers stickers={message.stickers} />
        <MessageEmbeds embeds={embedsOf(message)} />
        {(message.components.length > 0 || message.copy_of) && (
          <Suspense>
            <MessageExtras message={message} />
          </Suspense>
        )}
        {message.reactions.length > 0 && (
          <Reactions message={message} onToggle={props.onReact} onList={props.onListReactions} />
        )}
      </MentionedContext>
      {message.replies !== null && <ThreadLine message={message} replies={message.replies} />}
      {started !== undefined && <StarterLine thread={started} />}
    </div>
  )
}

/** Leaves out link previews if they are suppressed. A bot's embeds are part of its message. */
function embedsOf({ embeds, flags }: Message): Message['embeds'] {
  if ((flags & MessageFlag.SuppressEmbeds) === 0) return embeds
  return embeds.filter(({ type }) => type === EmbedType.Rich)
}

function MessageContent({ message, isGrouped }: { message: Message; isGrouped: boolean }) {
  const { content, edited_at, pinned, flags } = message
  if ((flags & MessageFlag.Loading) !== 0)
    return (
      <span className="message-emptied" role="status">
        {t('Thinking…')}
      </span>
    )
  return (
    <>
      {content !== '' && !isSystem(message) && <MessageText text={content} />}
      {isEmptied(message) && <span className="message-emptied">{t('This sticker was deleted.')}</span>}
      <EditedMark time={edited_at} />
      {/* Grouped messages have no byline to show the marks in. */}
      {isGrouped && <Marks isPinned={pinned} flags={flags} />}
    </>
  )
}

/** Returns true for a message that became empty. A sent message is never empty, but loses a sticker that is deleted. */
function isEmptied(message: Message): boolean {
  const { content, attachments, stickers, embeds, components, snapshot } = message
  const count = attachments.length + stickers.length + embeds.length + components.length
  const isOfPeople = message.type === MessageType.Default && !isSystem(message)
  return isOfPeople && content === '' && count === 0 && snapshot === null
}
