import { Tabs } from '@base-ui/react/tabs'
import type { Message } from '@foyer/protocol/messages'
import { useChannel } from '#src/channels/channel-context.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Modal } from '#src/ui/modal.tsx'
import '#src/ui/tabs.css'
import { ReactionEmoji, useReactionName } from './reaction-emoji.tsx'
import './reactors-dialog.css'
import { useReactors } from './use-reactors.ts'

interface ReactorsDialogProps {
  message: Message
  /** With which it begins. */
  emoji: string
  onClose: () => void
}

/** Who reacted with what. */
export function ReactorsDialog({ message, emoji, onClose }: ReactorsDialogProps) {
  return (
    <Modal open onOpenChange={onClose} title="Reactions">
      <Tabs.Root defaultValue={emoji}>
        <Tabs.List className="tab-list reactor-tabs" aria-label="Emojis">
          {message.reactions.map((reaction) => (
            <EmojiTab key={reaction.emoji} emoji={reaction.emoji} count={reaction.count} />
          ))}
        </Tabs.List>
        {message.reactions.map((reaction) => (
          <Tabs.Panel key={reaction.emoji} value={reaction.emoji} className="tab-panel">
            <Reactors message={message} emoji={reaction.emoji} count={reaction.count} />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </Modal>
  )
}

function EmojiTab({ emoji, count }: { emoji: string; count: number }) {
  const name = useReactionName(emoji)
  return (
    <Tabs.Tab className="tab" value={emoji} aria-label={`${name}, ${count}`}>
      <ReactionEmoji emoji={emoji} /> {count}
    </Tabs.Tab>
  )
}

function Reactors({ message, emoji, count }: { message: Message; emoji: string; count: number }) {
  const { nameOf } = useChannel()
  const reactors = useReactors(message, emoji)
  if (reactors.state === 'loading') return <p className="menu-note">Loading…</p>
  if (reactors.state === 'failed') return <p className="form-error">{reactors.message}</p>
  const others = count - reactors.value.length
  return (
    <>
      <ul className="reactors">
        {reactors.value.map((user) => (
          <li key={user.id}>
            <Avatar id={user.id} name={nameOf(user)} size="sm" picture={user.avatar} />
            <span>{nameOf(user)}</span>
          </li>
        ))}
      </ul>
      {others > 0 && <p className="menu-note">and {others === 1 ? '1 other' : `${others} others`}</p>}
    </>
  )
}
