import { limits } from '@foyer/protocol/limits'
import type { Message } from '@foyer/protocol/messages'
import { type KeyboardEvent, useState } from 'react'
import { useSession } from '#src/session/context.ts'
import { addressOf } from '#src/store/channels.ts'
import { Button } from '#src/ui/button.tsx'
import { errorMessage } from '#src/ui/form-errors.ts'
import { GrowingTextarea } from '#src/ui/growing-textarea.tsx'
import { fromNames, toNames } from './emoji-names.ts'
import { lengthOf } from './length.ts'
import './message-editor.css'
import { useSpaceEmojis } from './use-space-emojis.ts'

/** A message's text in place: Enter saves, Escape leaves it as it was. */
export function MessageEditor({ message, onDone }: { message: Message; onDone: () => void }) {
  const { client, store } = useSession()
  const emojis = useSpaceEmojis(message.space_id)
  // With the names from the beginning: an emoji that is renamed meanwhile is no change of the writer's.
  const [original] = useState(() => toNames(message.content, emojis))
  const [content, setContent] = useState(original)
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const written = fromNames(content, emojis).trim()
  const length = lengthOf(written)
  const mayBeEmpty = message.attachments.length + message.stickers.length > 0
  const savable = (length > 0 || mayBeEmpty) && length <= limits.messageMax && !pending

  async function save() {
    if (!savable) return
    if (content.trim() === original) return onDone()
    setPending(true)
    try {
      const updated = await client.messages.update(addressOf(message), message.id, {
        content: written,
      })
      store.adopt('MESSAGE_UPDATE', updated)
      onDone()
    } catch (thrown) {
      setError(errorMessage(thrown))
      setPending(false)
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    // Up and down move in the text here, not in the list around it.
    event.stopPropagation()
    if (event.key === 'Escape') onDone()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void save()
  }

  return (
    <div className="message-editor">
      <GrowingTextarea
        className="field-control"
        aria-label="Edit message"
        value={content}
        onChange={(event) => setContent(event.target.value)}
        onKeyDown={onKeyDown}
        onFocus={(event) => event.target.setSelectionRange(content.length, content.length)}
        autoFocus
      />
      {error !== null && (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
      <div className="message-editor-actions">
        <Button look="primary" disabled={!savable} onClick={() => void save()}>
          Save
        </Button>
        <Button onClick={onDone}>Cancel</Button>
        {length > limits.messageMax && (
          <span className="form-error">{length - limits.messageMax} characters too many</span>
        )}
      </div>
    </div>
  )
}
