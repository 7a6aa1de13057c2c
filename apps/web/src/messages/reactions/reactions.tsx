import { MAX_REACTIONS } from '@foyer/protocol/limits'
import type { Message, Reaction } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { SmilePlus } from 'lucide-react'
import type { MouseEvent } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { EmojiPopover } from '#src/emojis/emoji-popover.tsx'
import { ReactionEmoji, useReactionName } from '#src/emojis/reaction-emoji.tsx'
import { counted, t } from '#src/language/texts.ts'
import { useIsFrozen } from '#src/permissions/use-permissions.ts'
import { Hint } from '#src/ui/buttons/icon-button.tsx'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import './reactions.css'
import { lazyAside } from '#src/ui/loading/lazy-popup.tsx'

const ReactorsHint = lazyAside(() => import('./reactors-hint.tsx').then((module) => module.ReactorsHint))

interface ReactionsProps {
  message: Message
  onToggle: (emoji: string) => void
  /** Opens the list of everyone who reacted. */
  onList: (emoji: string) => void
}

/** Reaction counts of a message. Clicking one adds or removes the user's own. */
export function Reactions({ message, onToggle, onList }: ReactionsProps) {
  const { may, spaceId } = useChannel()
  const { reactions } = message
  const tabIndex = useRowPart()
  const mayJoin = may(Permission.SendMessages)
  // In a frozen space, users cannot remove even their own reactions.
  const isFrozen = useIsFrozen(spaceId)
  const mayAdd = mayJoin && may('AddReactions')
  return (
    <ul className="reactions" aria-label={t('Reactions')}>
      {reactions.map((reaction) => (
        <li key={reaction.emoji}>
          <ReactionButton
            message={message}
            reaction={reaction}
            isUsable={mayJoin || (reaction.me && !isFrozen)}
            onToggle={onToggle}
            onList={onList}
          />
        </li>
      ))}
      {mayAdd && reactions.length < MAX_REACTIONS && (
        <li>
          <EmojiPopover
            spaceId={spaceId}
            trigger={
              <button
                type="button"
                className="reaction reaction-add"
                aria-label={t('React with another emoji')}
                title={t('React with another emoji')}
                tabIndex={tabIndex}
              >
                <SmilePlus aria-hidden="true" />
              </button>
            }
            onEmoji={onToggle}
          />
        </li>
      )}
    </ul>
  )
}

interface ReactionButtonProps extends ReactionsProps {
  reaction: Reaction
  isUsable: boolean
}

function ReactionButton({ message, reaction, isUsable, onToggle, onList }: ReactionButtonProps) {
  const { emoji, count, me } = reaction
  const name = useReactionName(emoji)
  const tabIndex = useRowPart()

  function list(event: MouseEvent) {
    event.preventDefault()
    event.stopPropagation()
    onList(emoji)
  }

  return (
    <Hint
      label={<ReactorsHint message={message} emoji={emoji} count={count} name={name} />}
      className="reaction-hint"
    >
      <button
        type="button"
        className="reaction"
        tabIndex={tabIndex}
        aria-pressed={me}
        aria-disabled={!isUsable}
        aria-label={counted(count, '{name}, {count} reaction', '{name}, {count} reactions', { name })}
        onClick={() => isUsable && onToggle(emoji)}
        onContextMenu={list}
      >
        <ReactionEmoji emoji={emoji} />
        <span>{count}</span>
      </button>
    </Hint>
  )
}
