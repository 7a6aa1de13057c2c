import { limits } from '@foyer/protocol/limits'
import type { Message } from '@foyer/protocol/messages'
import { type KeyboardEvent, Suspense, useRef, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { counted, t } from '#src/language/texts.ts'
import { asSent, asWritten } from '#src/mentions/named-text.ts'
import { useCompletion } from '#src/mentions/use-completion.ts'
import { useSession } from '#src/session/context.ts'
import { addressOf } from '#src/store/channels.ts'
import { Button } from '#src/ui/button.tsx'
import { errorMessage } from '#src/ui/form-errors.ts'
import { GrowingTextarea } from '#src/ui/growing-textarea.tsx'
import { lazyComponent } from '#src/ui/lazy.tsx'
import { lengthOf } from './length.ts'
import './message-editor.css'
import { useSpaceEmojis } from './use-space-emojis.ts'

const Completions = lazyComponent(() =>
  import('#src/mentions/completions.tsx').then((module) => module.Completions),
)

/** A message's text in place: Enter saves, Escape leaves it as it was. */
export function MessageEditor({ message, onDone }: { message: Message; onDone: () => void }) {
  const input = useRef<HTMLTextAreaElement>(null)
  const edit = useEdit(message, onDone)
  const { content, left } = edit
  const completion = useCompletion(input, edit)

  function onKeyDown(event: KeyboardEvent) {
    // Up and down move in the text here, not in the list around it.
    event.stopPropagation()
    if (event.key === 'Escape') onDone()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void edit.save()
  }

  return (
    <div className="message-editor">
      <div className="composer-popover">
        <Suspense>
          {completion.query !== null && (
            <Completions
              query={completion.query}
              input={input}
              onPick={completion.pick}
              onClose={completion.close}
            />
          )}
        </Suspense>
      </div>
      <GrowingTextarea
        ref={input}
        className="field-control"
        aria-label={t('Edit message')}
        value={content}
        onChange={(event) => {
          edit.setContent(event.target.value)
          completion.look()
        }}
        onSelect={completion.look}
        onBlur={completion.close}
        onKeyDown={onKeyDown}
        onFocus={(event) => event.target.setSelectionRange(content.length, content.length)}
        autoFocus
      />
      {edit.error !== null && (
        <p role="alert" className="form-error">
          {edit.error}
        </p>
      )}
      <div className="message-editor-actions">
        <Button look="primary" disabled={!edit.isSavable} onClick={() => void edit.save()}>
          {t('Save')}
        </Button>
        <Button onClick={onDone}>{t('Cancel')}</Button>
        {left < 0 && (
          <span className="form-error">
            {counted(-left, '{count} character too many', '{count} characters too many')}
          </span>
        )}
      </div>
    </div>
  )
}

/** A message's text with names in it, and how it is saved. */
function useEdit(message: Message, onDone: () => void) {
  const { client, store } = useSession()
  const channel = useChannel()
  const emojis = useSpaceEmojis(message.space_id)
  // With the names from the beginning: an emoji that is renamed meanwhile is no change of the writer's.
  const [original] = useState(() =>
    asWritten(store.get(), { ...channel, emojis, people: message.mentions }, message.content),
  )
  const [content, setContent] = useState(original.content)
  const [named, setNamed] = useState(original.named)
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const written = asSent(content, named, emojis).trim()
  const left = limits.messageMax - lengthOf(written)
  const { attachments, stickers, embeds, components } = message
  const mayBeEmpty = attachments.length + stickers.length + embeds.length + components.length > 0
  const isSavable = (written !== '' || mayBeEmpty) && left >= 0 && !pending

  async function save() {
    if (!isSavable) return
    if (content.trim() === original.content) return onDone()
    setPending(true)
    try {
      const updated = await client.messages.update(addressOf(message), message.id, { content: written })
      store.adopt('MESSAGE_UPDATE', updated)
      onDone()
    } catch (thrown) {
      setError(errorMessage(thrown))
      setPending(false)
    }
  }

  const name = (added: typeof named) => setNamed((before) => ({ ...before, ...added }))
  return { content, named, left, isSavable, error, setContent, name, save }
}
