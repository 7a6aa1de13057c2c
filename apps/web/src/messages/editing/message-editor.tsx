import { limits } from '@foyer/protocol/limits'
import type { Message } from '@foyer/protocol/messages'
import { type KeyboardEvent, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { asSent, asWritten, type Named } from '#src/mentions/named-text.ts'
import { useCompletion } from '#src/mentions/use-completion.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { addressOf } from '#src/store/channels.ts'
import { editKeyOf } from '#src/store/draft.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { overLimit } from '#src/ui/fields/characters.ts'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import { GrowingTextarea } from '#src/ui/fields/growing-textarea.tsx'
import { nextFrame } from '#src/ui/focus/next-frame.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { isSendingKey } from '../composer/composer-keys.ts'
import { lengthOf } from '../composer/length.ts'
import './message-editor.css'
import { useSpaceEmojis } from '#src/emojis/use-space-emojis.ts'

const Completions = lazyComponent(() =>
  import('#src/mentions/completions.tsx').then((module) => module.Completions),
)

/** Edits a message in place: Enter saves, Escape cancels. */
export function MessageEditor({ message, onDone }: { message: Message; onDone: () => void }) {
  const input = useRef<HTMLTextAreaElement>(null)
  const edit = useEdit(message, onDone)
  const { content, left } = edit
  const completion = useCompletion(input, edit)
  useLayoutEffect(() => begin(input.current), [])

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    // Arrow keys move the caret here, not the focus in the list.
    event.stopPropagation()
    // While an input method composes text, it handles the keys.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') edit.leave()
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey || isSendingKey(event))) return
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
              onSpelled={completion.recognize}
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
          edit.change({ content: event.target.value })
          completion.look()
        }}
        onSelect={completion.look}
        onBlur={completion.close}
        onKeyDown={onKeyDown}
        onFocus={(event) => event.target.setSelectionRange(content.length, content.length)}
      />
      {edit.error !== null && (
        <p role="alert" className="form-error">
          {edit.error}
        </p>
      )}
      <div className="message-editor-actions">
        <Button
          look="primary"
          disabled={!edit.isSavable}
          pending={edit.pending}
          onClick={() => void edit.save()}
        >
          {t('Save')}
        </Button>
        <Button onClick={edit.leave}>{t('Cancel')}</Button>
        {left < 0 && <span className="form-error">{overLimit(-left)}</span>}
      </div>
    </div>
  )
}

/** Focuses the field without the browser's scrolling, which the list would mistake for the user's. */
function begin(input: HTMLTextAreaElement | null): void {
  input?.focus({ preventScroll: true })
  nextFrame(() => input?.closest('.message')?.scrollIntoView({ block: 'nearest' }))
}

/** Text of the message being edited, and how it is saved. */
function useEdit(message: Message, onDone: () => void) {
  const { client, store } = useSession()
  const emojis = useSpaceEmojis(message.space_id)
  const draft = useEditDraft(message, emojis)
  const { original, content, named, change, name } = draft
  const isOpen = useRef(false)
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const written = asSent(content, named, emojis).trim()
  const left = limits.messageMax - lengthOf(written)
  const { attachments, stickers, embeds, components } = message
  const mayBeEmpty = attachments.length + stickers.length + embeds.length + components.length > 0
  const isSavable = (written !== '' || mayBeEmpty) && left >= 0

  async function save() {
    if (!isSavable || pending) return
    if (content.trim() === original.content) return leave()
    const saved = draft.now()
    setPending(true)
    setError(null)
    try {
      const { withEmojis } = await import('../composer/sending-care.tsx')
      const sent = { content: await withEmojis(written) }
      const updated = await client.messages.update(addressOf(message), message.id, sent)
      store.adopt('MESSAGE_UPDATE', updated)
      if (draft.now() === saved) leave()
      else draft.goOn(updated)
    } catch (thrown) {
      setError(errorMessage(thrown))
    }
    setPending(false)
  }

  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])

  function leave() {
    draft.drop()
    // The user may have started to edit another message while this one was saved.
    if (isOpen.current) onDone()
  }

  return { content, named, left, isSavable, pending, error, change, name, save, leave }
}

/** Holds the edited text, which shows mentions and emojis by name. Changes are kept as a draft when the user navigates away. */
function useEditDraft(message: Message, emojis: ReturnType<typeof useSpaceEmojis>) {
  const { store } = useSession()
  const channel = useChannel()
  // The emoji names when editing began, so that renaming an emoji does not count as an edit.
  const [{ key, original }, setBegun] = useState(() => begin(message))
  const { content, named } = useAppState((state) => state.drafts[key]) ?? original
  const now = () => store.get().drafts[key] ?? original
  const change = (changed: Partial<typeof original>) =>
    store.dispatch('draft_changed', { channel_id: key, ...now(), ...changed })
  const name = (added: Named) => change({ named: { ...now().named, ...added } })
  const drop = () => store.dispatch('draft_dropped', { channel_id: key })

  function begin(text: Message) {
    const names = { ...channel, emojis, people: text.mentions }
    return { key: editKeyOf(channel, text), original: asWritten(store.get(), names, text.content) }
  }

  /** Text written while saving becomes a draft of the new version, unless editing was cancelled. */
  function goOn(updated: Message) {
    const { [key]: written } = store.get().drafts
    if (written === undefined) return
    const next = begin(updated)
    store.dispatch('draft_changed', { channel_id: next.key, ...written })
    setBegun(next)
    drop()
  }

  return { original, content, named, now, change, name, drop, goOn }
}
