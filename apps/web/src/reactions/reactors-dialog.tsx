import { Tabs } from '@base-ui/react/tabs'
import type { Message } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import type { User } from '@foyer/protocol/users'
import { X } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { counted, t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { addressOf } from '#src/store/channels.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Modal } from '#src/ui/modal.tsx'
import { useAction } from '#src/ui/use-action.ts'
import { useFocusAfter } from '#src/ui/use-focus-after.ts'
import '#src/ui/tabs.css'
import { ReactionEmoji, useReactionName } from './reaction-emoji.tsx'
import './reactors-dialog.css'
import { LoadError } from '#src/ui/load-error.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { useReactors } from './use-reactors.ts'

interface ReactorsDialogProps {
  message: Message
  /** With which it begins. */
  emoji: string
  onClose: () => void
}

/** Who reacted with what. */
export function ReactorsDialog({ message, emoji, onClose }: ReactorsDialogProps) {
  const [chosen, setChosen] = useState(emoji)
  const shown = message.reactions.find((reaction) => reaction.emoji === chosen) ?? message.reactions[0]
  const isEmpty = shown === undefined

  useEffect(() => {
    if (isEmpty) onClose()
  }, [isEmpty, onClose])

  if (isEmpty) return null
  return (
    <Modal open onOpenChange={onClose} title={t('Reactions')}>
      <Tabs.Root value={shown.emoji} onValueChange={setChosen}>
        <Tabs.List className="tab-list reactor-tabs" aria-label={t('Emojis')}>
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
      <ClearReactions message={message} />
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
  const { answer: reactors, again } = useReactors(message, emoji)
  const list = useRef<HTMLUListElement>(null)
  if (reactors.state === 'loading') return <Skeleton />
  if (reactors.state === 'failed') return <LoadError message={reactors.message} again={again} />
  const others = count - reactors.value.length
  return (
    <>
      <ul ref={list} tabIndex={-1} className="reactors">
        {reactors.value.map((user) => (
          <Reactor key={user.id} user={user} message={message} emoji={emoji} focusAfter={list} />
        ))}
      </ul>
      {others > 0 && (
        <p className="menu-note">{counted(others, 'and {count} other', 'and {count} others')}</p>
      )}
    </>
  )
}

interface ReactorProps {
  user: User
  message: Message
  emoji: string
  /** Where the focus goes when the row that has it goes. */
  focusAfter: RefObject<HTMLElement | null>
}

/** Their reaction can be taken back by themselves, and by who manages messages. */
function Reactor({ user, message, emoji, focusAfter }: ReactorProps) {
  const { nameOf, may } = useChannel()
  const { client } = useSession()
  const myId = useAppState((state) => state.me?.id)
  const removal = useAction()
  useFocusAfter(focusAfter)
  const name = nameOf(user)
  const isOwn = user.id === myId
  const remove = () =>
    isOwn
      ? client.reactions.remove(addressOfMessage(message), emoji)
      : client.reactions.removeOf(addressOfMessage(message), emoji, user.id)
  return (
    <li>
      <Avatar id={user.id} name={name} size="sm" picture={user.avatar} />
      <span className="reactor-name" dir="auto">
        {name}
      </span>
      {removal.error !== null && (
        <span role="alert" className="form-error">
          {removal.error}
        </span>
      )}
      {(isOwn || may(Permission.ManageMessages)) && (
        <IconButton
          label={isOwn ? t('Take back your reaction') : t('Remove the reaction of {name}', { name })}
          icon={<X />}
          pending={removal.pending}
          onClick={() => removal.run(remove)}
        />
      )}
    </li>
  )
}

function ClearReactions({ message }: { message: Message }) {
  const { may } = useChannel()
  const { client } = useSession()
  const clearing = useAction()
  if (!may(Permission.ManageMessages)) return null
  return (
    <div className="reactors-clear">
      {clearing.error !== null && (
        <p role="alert" className="form-error">
          {clearing.error}
        </p>
      )}
      <Button
        look="danger"
        pending={clearing.pending}
        onClick={() => clearing.run(() => client.reactions.clear(addressOfMessage(message)))}
      >
        {t('Remove all reactions')}
      </Button>
    </div>
  )
}

function addressOfMessage({ id, room_id, conversation_id }: Message) {
  return { channel: addressOf({ room_id, conversation_id }), id }
}
