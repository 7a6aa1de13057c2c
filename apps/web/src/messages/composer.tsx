import { limits } from '@foyer/protocol/limits'
import type { SpaceSticker } from '@foyer/protocol/stickers'
import { SendHorizontal, Smile } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useMemo, useRef } from 'react'
import { AttachButton } from '#src/attachments/attach-button.tsx'
import { DropOverlay } from '#src/attachments/drop-overlay.tsx'
import { pastedFiles } from '#src/attachments/file-transfer.ts'
import { UploadTray } from '#src/attachments/upload-tray.tsx'
import { useDraftFiles } from '#src/attachments/use-draft-files.ts'
import { useFileDrop } from '#src/attachments/use-file-drop.ts'
import { useChannel } from '#src/channels/channel-context.ts'
import { EmojiPopover } from '#src/emojis/emoji-popover.tsx'
import { useAppState, useSession } from '#src/session/context.ts'
import { GrowingTextarea } from '#src/ui/growing-textarea.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { isTouch } from '#src/ui/is-touch.ts'
import './composer.css'
import { fromNames, toNames } from './emoji-names.ts'
import { insertText } from './insert-text.ts'
import { lengthOf } from './length.ts'
import { sendMessage } from './send.ts'
import { useSpaceEmojis } from './use-space-emojis.ts'
import { useTypingNotice } from './use-typing-notice.ts'

interface ComposerProps {
  input: RefObject<HTMLTextAreaElement | null>
  onSent: () => void
  /** Arrow up in an empty field. */
  onEditLast: () => void
}

/** So near to the longest message that the writer should know. */
const COUNTER_FROM = 200

export function Composer({ input, onSent, onEditLast }: ComposerProps) {
  const session = useSession()
  const channel = useChannel()
  const content = useAppState((state) => state.drafts[channel.id] ?? '')
  const emojis = useSpaceEmojis(channel.spaceId)
  const written = useMemo(() => fromNames(content, emojis).trim(), [content, emojis])
  const typing = useTypingNotice(channel.address)
  const draft = useDraftFiles(channel.address)
  const form = useRef<HTMLFormElement>(null)
  const isDraggedOver = useFileDrop(form, '.page', draft.add)
  const length = lengthOf(written)
  const left = limits.messageMax - length
  const isSendable = (length > 0 || draft.uploads.length > 0) && left >= 0
  const label = `Message ${channel.label}`

  function change(next: string) {
    session.store.dispatch('draft_changed', { channel_id: channel.id, content: next })
    if (next.trim() !== '') typing.notify()
  }

  function send() {
    const uploadIds = isSendable ? draft.take() : null
    if (uploadIds === null) return
    sendMessage(session, channel.address, { content: written, uploadIds })
    session.store.dispatch('draft_changed', { channel_id: channel.id, content: '' })
    typing.reset()
    onSent()
  }

  function sendSticker(sticker: SpaceSticker) {
    sendMessage(session, channel.address, { content: '', stickers: [sticker] })
    onSent()
    input.current?.focus()
  }

  function onPaste(event: ClipboardEvent) {
    const files = pastedFiles(event.clipboardData)
    if (files.length === 0) return
    event.preventDefault()
    draft.add({ files, hasFolders: false })
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowUp' && content === '') {
      event.preventDefault()
      onEditLast()
    }
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    // Keyboards on glass have no Shift+Enter: there Enter makes a line, and the button sends.
    if (isTouch()) return
    event.preventDefault()
    send()
  }

  return (
    <>
      {isDraggedOver && <DropOverlay place={channel.label} />}
      <form
        ref={form}
        className="composer"
        onSubmit={(event) => {
          event.preventDefault()
          send()
          input.current?.focus()
        }}
      >
        <UploadTray uploads={draft.uploads} refusals={draft.refusals} input={input} />
        <div className="composer-line">
          <AttachButton
            onFiles={(chosen) => {
              draft.add(chosen)
              input.current?.focus()
            }}
          />
          <GrowingTextarea
            ref={input}
            className="composer-input"
            aria-label={label}
            placeholder={label}
            aria-invalid={left < 0 || undefined}
            aria-describedby={left <= COUNTER_FROM ? 'composer-counter' : undefined}
            value={content}
            onChange={(event) => change(event.target.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
          />
          {left <= COUNTER_FROM && (
            <span id="composer-counter" className="composer-counter" data-over={left < 0 || undefined}>
              {left}
            </span>
          )}
          <EmojiPopover
            spaceId={channel.spaceId}
            trigger={<IconButton label="Emojis and stickers" icon={<Smile />} />}
            onEmoji={(text) => insertText(input.current, toNames(text, emojis))}
            onSticker={sendSticker}
          />
          <IconButton
            type="submit"
            label="Send message"
            icon={<SendHorizontal />}
            className="composer-send"
            disabled={!isSendable}
          />
        </div>
      </form>
    </>
  )
}
