import type { Message } from '@foyer/protocol/messages'
import { Fragment } from 'react'
import { SpaceEmojiImage } from '#src/emojis/space-emoji.tsx'
import { avatarIdOfWebhook, nameOfAuthor } from '#src/members/author-name.ts'
import { excerpt } from '#src/mentions/readable.ts'
import { blockedWords, useIsBlocked } from '#src/messages/blocked/blocked-words.ts'
import { extrasOf } from '#src/messages/content/message-words.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { useAppState } from '#src/session/context.ts'
import type { NameLookup } from '#src/store/selectors.ts'
import { PageLink } from '#src/ui/buttons/page-link.tsx'
import { formatClock, formatDay, formatFull } from '#src/ui/time/time.ts'
import { type HeldText, holdEmojis, partsOf } from './held-emojis.ts'
import { highlightWords } from './highlight-words.ts'
import { HitMedia, hasThumbnail } from './hit-media.tsx'
import { messagePath } from './message-path.ts'
import './search-hit.css'

interface SearchHitProps {
  message: Message
  /** Searched words to highlight. Empty highlights nothing. */
  text: string
  nameOf: NameLookup
  onOpen: () => void
}

/** A result that links to the message. The content of blocked users is hidden. */
export function SearchHit(props: SearchHitProps) {
  const { message, onOpen } = props
  if (!useIsBlocked(message)) return <ShownHit {...props} />
  return (
    <PageLink href={messagePath(message)} className="search-hit" onClick={onOpen}>
      <em className="search-hit-blocked">{blockedWords(1, 1)}</em>
    </PageLink>
  )
}

function ShownHit({ message, text, nameOf, onOpen }: SearchHitProps) {
  const { author, mentions, space_id: spaceId, created_at } = message
  const held = holdEmojis(message.snapshot?.content ?? message.content)
  const content = useAppState((state) => excerpt(state, { spaceId, nameOf, people: mentions }, held.text))
  const extras = extrasOf(message, (file) => !hasThumbnail(file))
  const name = nameOfAuthor(message, nameOf)
  // As in the message list, a webhook's avatar depends only on its name.
  const avatarId = message.webhook_id === null ? author.id : avatarIdOfWebhook(name)
  return (
    <PageLink href={messagePath(message)} className="search-hit" onClick={onOpen}>
      <Avatar id={avatarId} name={name} picture={author.avatar} />
      <span className="search-hit-head">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <time dateTime={created_at} title={formatFull(created_at)}>
          {formatDay(created_at)}, {formatClock(created_at)}
        </time>
      </span>
      <span className="search-hit-text" dir="auto">
        {highlightWords(content, text).map((piece, index) => {
          const Piece = piece.isFound ? 'mark' : Fragment
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text keep their order
            <Piece key={index}>
              <WithEmojis text={piece.text} emojis={held.emojis} />
            </Piece>
          )
        })}
        {extras !== '' && <em>{extras}</em>}
      </span>
      <HitMedia attachments={(message.snapshot ?? message).attachments} />
    </PageLink>
  )
}

function WithEmojis({ text, emojis }: HeldText) {
  return partsOf(text, emojis).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
    typeof part === 'string' ? part : <SpaceEmojiImage key={index} {...part} />,
  )
}
