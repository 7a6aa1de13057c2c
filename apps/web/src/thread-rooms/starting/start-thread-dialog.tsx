import { MAX_THREAD_TITLE_CHARACTERS } from '@foyer/protocol/limits'
import type { Message } from '@foyer/protocol/messages'
import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { excerpt } from '#src/mentions/readable.ts'
import { useSession } from '#src/session/context.ts'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { ThreadForm } from './thread-form.tsx'

interface StartThreadDialogProps {
  message: Message
  onClose: () => void
}

/** Starts a thread from a message, whose text is the title at first. */
export function StartThreadDialog({ message, onClose }: StartThreadDialogProps) {
  const { store } = useSession()
  const channel = useChannel()
  const { content } = message.snapshot ?? message
  const words = excerpt(store.get(), { ...channel, people: message.mentions }, content)
  return (
    <Modal open onOpenChange={onClose} title={t('Start a thread')}>
      <ThreadForm
        roomId={channel.id}
        spaceId={channel.spaceId ?? ''}
        messageId={message.id}
        title={shortened(words)}
        replies={channel.may('ManageThreads') ? message.replies : null}
        onDone={onClose}
        onCancel={onClose}
      />
    </Modal>
  )
}

/** Cuts at the end of a word, if there is one near the limit. */
function shortened(words: string): string {
  const characters = [...words]
  if (characters.length <= MAX_THREAD_TITLE_CHARACTERS) return words
  const start = characters.slice(0, MAX_THREAD_TITLE_CHARACTERS - 1).join('')
  return `${start.replace(/\s\S{1,20}$/u, '')}…`
}
