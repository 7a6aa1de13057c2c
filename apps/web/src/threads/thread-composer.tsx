import type { Message } from '@foyer/protocol/messages'
import { SendHorizontal, Smile } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { EmojiPopover } from '#src/emojis/emoji-popover.tsx'
import { t } from '#src/language/texts.ts'
import '#src/messages/composer.css'
import { ComposerInput } from '#src/messages/composer-input.tsx'
import { toNames } from '#src/messages/emoji-names.ts'
import { insertText } from '#src/messages/insert-text.ts'
import { ReplyBar } from '#src/messages/reply-bar.tsx'
import { useSpaceEmojis } from '#src/messages/use-space-emojis.ts'
import { useAppState } from '#src/session/context.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { isTouch } from '#src/ui/is-touch.ts'
import { useThreadComposer } from './use-thread-composer.ts'

interface ThreadComposerProps {
  /** What is answered: the first message, or the last one that is left. */
  answered: Message
  input: RefObject<HTMLTextAreaElement | null>
  onSent: () => void
  onEditLast: () => void
}

/** Where one goes on with a thread. */
export function ThreadComposer({ answered, input, onSent, onEditLast }: ThreadComposerProps) {
  const channel = useChannel()
  const myId = useAppState((state) => state.me?.id)
  const isOwn = answered.author.id === myId || answered.webhook_id !== null
  const composer = useThreadComposer({ id: answered.id, isOwn }, onSent)
  const emojis = useSpaceEmojis(channel.spaceId)
  const [isChoosing, setIsChoosing] = useState(false)
  const replyId = composer.draft.reply?.id

  // biome-ignore lint/correctness/useExhaustiveDependencies: who chose what to answer wants to write
  useEffect(() => {
    // On glass this would call up a keyboard over what one came to read.
    if (replyId !== undefined || !isTouch()) input.current?.focus({ preventScroll: true })
  }, [replyId])

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        composer.send()
        input.current?.focus()
      }}
    >
      {composer.draft.reply !== null && (
        <ReplyBar reply={composer.draft.reply} onChange={(reply) => composer.change({ reply })} />
      )}
      <div className="composer-line">
        <ComposerInput
          composer={composer}
          input={input}
          label={t('Reply in the thread')}
          counterId={undefined}
          onEditLast={onEditLast}
        />
        {composer.left < 0 && (
          <span className="composer-counter" data-over>
            {composer.left}
          </span>
        )}
        <EmojiPopover
          spaceId={channel.spaceId}
          open={isChoosing}
          onOpenChange={setIsChoosing}
          trigger={<IconButton label={t('Emojis')} icon={<Smile />} />}
          onEmoji={(text) => insertText(input.current, toNames(text, emojis))}
        />
        <IconButton
          type="submit"
          label={t('Send reply')}
          icon={<SendHorizontal />}
          className="composer-send"
          disabled={!composer.isSendable}
        />
      </div>
    </form>
  )
}
