import { Permission } from '@foyer/protocol/permissions'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useInteractionsState } from '#src/commands/interactions/use-interactions-state.ts'
import { Composer } from '#src/messages/composer/composer.tsx'
import { TypingLine } from '#src/messages/composer/typing-line.tsx'
import { isEditable } from '#src/messages/editing/is-editable.ts'
import { MessageList } from '#src/messages/timeline/message-list.tsx'
import { useSession } from '#src/session/context.ts'
import { isTouch } from '#src/ui/is-touch.ts'
import { lazyNote, lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { ChannelContext, type OpenChannel } from '../channel-context.ts'

const PaneEnd = lazyNote(() => import('./pane-end.tsx').then((module) => module.PaneEnd))
const InteractionRows = lazyPopup(() =>
  import('#src/messages/rows/interaction-rows.tsx').then((module) => module.InteractionRows),
)

interface ChannelPaneProps {
  channel: OpenChannel
  /** Content above the first message. */
  beginning: ReactNode
  /** Text shown instead of the composer without permission to send messages. */
  denied: ReactNode
  /** Id of the message in the URL. */
  messageId?: string | undefined
}

/** The messages of a channel and the composer. Each channel needs its own pane: pass its id as the key. */
export function ChannelPane({ channel, beginning, denied, messageId }: ChannelPaneProps) {
  const { store } = useSession()
  const [editingId, setEditingId] = useState<string | null>(null)
  const [sentCount, setSentCount] = useState(0)
  const input = useRef<HTMLTextAreaElement>(null)
  const hasInteractions = useInteractionsState(
    ({ asks, ephemerals }) => asks.length > 0 || channel.id in ephemerals,
  )

  useEffect(() => {
    // A channel marked as unread stays unread until it is opened again.
    store.dispatch('channel_entered', { channel_id: channel.id })
  }, [store, channel.id])

  useEffect(() => {
    // On touch screens this would open the keyboard over the messages.
    if (!isTouch()) input.current?.focus({ preventScroll: true })
  }, [])

  function edit(id: string | null) {
    // While the edit is saved, the user may have moved the focus, for example to the emoji picker.
    if (id === null && isFocusFree()) input.current?.focus()
    setEditingId(id)
  }

  function editLast() {
    const { me, timelines } = store.get()
    const own = timelines[channel.id]?.messages.findLast(
      (message) => message.author.id === me?.id && isEditable(message),
    )
    if (own !== undefined) setEditingId(own.id)
  }

  return (
    <ChannelContext value={channel}>
      <MessageList
        beginning={beginning}
        messageId={messageId}
        editingId={editingId}
        onEdit={edit}
        sentCount={sentCount}
        composer={input}
      />
      {hasInteractions && <InteractionRows />}
      {channel.may(Permission.SendMessages) ? (
        <Composer input={input} onSent={() => setSentCount((count) => count + 1)} onEditLast={editLast} />
      ) : (
        <p className="composer-denied">{denied}</p>
      )}
      <TypingLine />
      <PaneEnd />
    </ChannelContext>
  )
}

/** Returns true if the focus is in the closing editor or nowhere. */
function isFocusFree(): boolean {
  const { activeElement } = document
  return activeElement === document.body || activeElement?.closest('.message-editor') !== null
}
