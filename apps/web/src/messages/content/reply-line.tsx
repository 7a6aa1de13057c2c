import type { Message, MessageInteraction } from '@foyer/protocol/messages'
import { useLocation } from 'wouter'
import { useChannel } from '#src/channels/channel-context.ts'
import { RichText } from '#src/language/rich-text.tsx'
import { t } from '#src/language/texts.ts'
import { nameOfAuthor } from '#src/members/author-name.ts'
import { excerpt } from '#src/mentions/readable.ts'
import { useNameColors } from '#src/mentions/use-name-colors.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { ColoredName } from '#src/roles/colored-name.tsx'
import { useAppState } from '#src/session/context.ts'
import { blockedIn } from '#src/store/friends.ts'
import './reply-line.css'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import { extrasOf } from './message-words.ts'

type Referenced = NonNullable<Message['referenced_message']>

/** Author and excerpt of the message replied to. Clicking jumps to it. */
export function ReplyLine({ referenced, mentions }: { referenced: Referenced | null; mentions: boolean }) {
  if (referenced === null)
    return (
      <p className="reply-line">
        <span className="reply-gone">{t('The original message was deleted.')}</span>
      </p>
    )
  return <Answered message={referenced} mentions={mentions} />
}

function Answered({ message, mentions }: { message: Referenced; mentions: boolean }) {
  const channel = useChannel()
  const { author, member, webhook_id } = message
  const tabIndex = useRowPart()
  const colors = useNameColors(channel.spaceId, author.id, member)
  const words = useAppState((state) =>
    excerpt(state, { ...channel, people: message.mentions }, message.snapshot?.content ?? message.content),
  )
  const isBlocked = useAppState((state) => author.id in blockedIn(state, channel.id))
  const jump = useJump(message)
  const name = nameOfAuthor(message, channel.nameOf)
  const extras = extrasOf(message)
  if (isBlocked)
    return (
      <p className="reply-line">
        <button type="button" className="reply-jump" tabIndex={tabIndex} onClick={jump}>
          <em className="reply-words">{t('In reply to someone you blocked')}</em>
        </button>
      </p>
    )
  return (
    <p className="reply-line">
      <button
        type="button"
        className="reply-jump"
        tabIndex={tabIndex}
        aria-label={t('In reply to {name}: {words}', { name, words: words === '' ? extras : words })}
        onClick={jump}
      >
        <Avatar id={webhook_id === null ? author.id : name} name={name} size="xs" picture={author.avatar} />
        <span className="reply-author">
          {mentions && '@'}
          <ColoredName colors={colors}>{name}</ColoredName>
        </span>{' '}
        <span className="reply-words" dir="auto">
          {words === '' ? <em>{extras}</em> : words}
        </span>
      </button>
    </p>
  )
}

/** Returns a function that goes to the original message, which is in another channel if only the reply was moved. */
function useJump({ id, room_id, space_id }: Referenced): () => void {
  const channel = useChannel()
  const [, navigate] = useLocation()
  const isElsewhere = room_id !== null && room_id !== channel.id
  return () => (isElsewhere ? navigate(`/spaces/${space_id}/rooms/${room_id}/${id}`) : channel.jumpTo(id))
}

/** The command or button a bot responds to, and the user who used it. */
export function CommandLine({ interaction: { name, user } }: { interaction: MessageInteraction }) {
  const { nameOf, spaceId } = useChannel()
  const colors = useNameColors(spaceId, user.id)
  return (
    <p className="reply-line">
      <Avatar id={user.id} name={nameOf(user)} size="xs" picture={user.avatar} />
      <span className="reply-author">
        <ColoredName colors={colors}>{nameOf(user)}</ColoredName>
      </span>
      <span>
        {name === '' ? (
          t('used a button')
        ) : (
          <RichText
            text={t('used <command>/{name}</command>')}
            values={{ name }}
            tags={{ command: (inside) => <span className="reply-command">{inside}</span> }}
          />
        )}
      </span>
    </p>
  )
}
