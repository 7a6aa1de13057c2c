import type { AvailableCommand } from '@foyer/protocol/commands'
import { BellOff, SendHorizontal, Smile } from 'lucide-react'
import { type ClipboardEvent, type RefObject, Suspense, useEffect, useId, useRef, useState } from 'react'
import { AttachButton } from '#src/attachments/uploads/attach-button.tsx'
import { pastedFiles } from '#src/attachments/uploads/file-transfer.ts'
import { UploadTray } from '#src/attachments/uploads/upload-tray.tsx'
import { useFileDrop } from '#src/attachments/uploads/use-file-drop.ts'
import { useChannel } from '#src/channels/channel-context.ts'
import { EmojiPopover } from '#src/emojis/emoji-popover.tsx'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { useShortcut } from '#src/shortcuts/use-shortcut.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { canRecord } from '../recordings/can-record.ts'
import { RecordButton } from '../recordings/record-button.tsx'
import './composer.css'
import { toNames } from '#src/emojis/emoji-names.ts'
import { useSpaceEmojis } from '#src/emojis/use-space-emojis.ts'
import { COUNTS_FROM } from '#src/ui/fields/characters.ts'
import { insertText } from '#src/ui/fields/insert-text.ts'
import { ComposerInput } from './composer-input.tsx'
import { type Answered, useComposer } from './use-composer.ts'
import { loadSendingCare } from './use-sending-care.ts'

const DropOverlay = lazyPopup(() =>
  import('#src/attachments/uploads/drop-overlay.tsx').then((module) => module.DropOverlay),
)
const EveryoneQuestion = lazyPopup(() => loadSendingCare().then((module) => module.EveryoneQuestion))
const ReplyBar = lazyPopup(() => import('./reply-bar.tsx').then((module) => module.ReplyBar))
const TooLongNote = lazyPopup(() => import('./too-long-note.tsx').then((module) => module.TooLongNote))
const HeldCommandNote = lazyPopup(() =>
  import('#src/commands/held-command-note.tsx').then((module) => module.HeldCommandNote),
)
const AlsoToRoom = lazyPopup(() =>
  import('#src/thread-rooms/starting/also-to-room.tsx').then((module) => module.AlsoToRoom),
)
const RecordingBar = lazyComponent(() =>
  import('../recordings/recording-bar.tsx').then((module) => module.RecordingBar),
)

export interface ComposerProps {
  input: RefObject<HTMLTextAreaElement | null>
  onSent: () => void
  /** Called on arrow up in an empty field. */
  onEditLast: () => void
}

interface ComposerFormProps extends ComposerProps {
  /** The message that a reply in a thread refers to by default. */
  answered?: Answered
  /** Omitted where commands are not available. @param rest text typed after the command's name */
  onCommand?: (command: AvailableCommand, rest: string) => void
}

export function ComposerForm({ input, answered, onSent, onEditLast, onCommand }: ComposerFormProps) {
  const channel = useChannel()
  const isThread = answered !== undefined
  // A message in a thread can also go to its room.
  const roomId = useAppState(({ threads }) => threads[channel.id]?.parent_id)
  const counterId = useId()
  const composer = useComposer(onSent, answered)
  const { draft, files, left, held, isEmpty, isSendable, isSilent } = composer
  const emojis = useSpaceEmojis(channel.spaceId)
  const form = useRef<HTMLFormElement>(null)
  const isDraggedOver = useFileDrop(form, isThread ? '.thread' : '.page', files.add)
  const isCounted = left < COUNTS_FROM
  const replyId = draft.reply?.id
  const isFirst = useRef(true)
  const [isChoosing, setIsChoosing] = useState(false)
  const [isRecording, setIsRecording] = useState(false)
  const mayAttach = channel.may('AttachFiles')
  const mayRecord = isEmpty && mayAttach && canRecord()

  useEffect(() => {
    // Focuses the field when a reply is chosen, but not when a draft is opened.
    if (!isFirst.current && replyId !== undefined) input.current?.focus()
    isFirst.current = false
  }, [replyId, input])

  function onPaste(event: ClipboardEvent) {
    const pasted = pastedFiles(event.clipboardData)
    if (pasted.length === 0) return composer.care.show(input, emojis)
    event.preventDefault()
    files.add({ files: pasted, hasFolders: false })
  }

  return (
    <>
      {isDraggedOver && mayAttach && <DropOverlay place={channel.label} />}
      {composer.care.question !== null && (
        <EveryoneQuestion
          notified={composer.care.question.notified}
          onSend={composer.care.question.send}
          onClose={composer.care.close}
        />
      )}
      <form
        ref={form}
        className="composer"
        onSubmit={(event) => {
          event.preventDefault()
          composer.send()
          input.current?.focus()
        }}
      >
        {draft.reply !== null && (
          <ReplyBar reply={draft.reply} onChange={(reply) => composer.change({ reply })} />
        )}
        <UploadTray uploads={files.uploads} refusals={files.refusals} input={input} />
        {left < 0 && <TooLongNote composer={composer} input={input} />}
        {held !== null && (
          <HeldCommandNote
            name={held.name}
            isThread={isThread}
            onSend={() => {
              composer.send(held.silently)
              input.current?.focus()
            }}
          />
        )}
        {isRecording && mayAttach ? (
          <Suspense>
            <RecordingBar
              onSend={composer.sendFile}
              onClose={() => {
                setIsRecording(false)
                requestAnimationFrame(() => input.current?.focus())
              }}
            />
          </Suspense>
        ) : (
          <div className="composer-line">
            {mayAttach && (
              <AttachButton
                onFiles={(chosen) => {
                  files.add(chosen)
                  input.current?.focus()
                }}
              />
            )}
            <ComposerInput
              composer={composer}
              input={input}
              counterId={isCounted ? counterId : undefined}
              label={isThread ? t('Write a reply') : t('Message {label}', { label: channel.label })}
              onPaste={onPaste}
              onEditLast={onEditLast}
              onCommand={onCommand}
            />
            {isSilent && (
              <span
                className="composer-silent"
                role="img"
                aria-label={t('Sent silently')}
                title={t('Sent silently')}
              >
                <BellOff aria-hidden="true" />
              </span>
            )}
            {isCounted && (
              <span id={counterId} className="composer-counter" data-over={left < 0 || undefined}>
                {left}
              </span>
            )}
            {!isThread && <EmojiShortcut onPress={() => setIsChoosing(true)} />}
            <EmojiPopover
              spaceId={channel.spaceId}
              open={isChoosing}
              onOpenChange={setIsChoosing}
              trigger={<IconButton label={t('Emoji and stickers')} icon={<Smile />} />}
              onEmoji={(text) => insertText(input.current, toNames(text, emojis))}
              onSticker={(sticker) => {
                composer.sendAlone({ stickers: [sticker] })
                input.current?.focus()
              }}
            />
            {mayRecord && <RecordButton onClick={() => setIsRecording(true)} />}
            <IconButton
              type="submit"
              label={isThread ? t('Send reply') : t('Send message')}
              icon={<SendHorizontal />}
              className="composer-send"
              disabled={!isSendable}
            />
          </div>
        )}
        {roomId !== undefined && !isThread && (
          <AlsoToRoom roomId={roomId} isChecked={composer.isAlsoToRoom} onChange={composer.setIsAlsoToRoom} />
        )}
      </form>
    </>
  )
}

/** Only the channel's composer handles the shortcut, not the one of its thread. */
function EmojiShortcut({ onPress }: { onPress: () => void }) {
  useShortcut('emojis', onPress)
  return null
}
