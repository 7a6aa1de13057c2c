import { Tabs } from '@base-ui/react/tabs'
import type { Message } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { useEffect, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import '#src/ui/tabs.css'
import { ReactionEmoji, useReactionName } from '#src/emojis/reaction-emoji.tsx'
import './reactors-dialog.css'
import { addressOfMessage } from './address-of-message.ts'
import { Reactors } from './reactors.tsx'

interface ReactorsDialogProps {
  message: Message
  /** The emoji selected at first. */
  emoji: string
  onClose: () => void
}

/** Dialog that lists who reacted, by emoji. */
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
        <Tabs.List className="tab-list reactor-tabs" aria-label={t('Emoji')}>
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
