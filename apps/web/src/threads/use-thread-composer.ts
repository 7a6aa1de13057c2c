import { limits } from '@foyer/protocol/limits'
import { MessageFlag } from '@foyer/protocol/messages'
import { useChannel } from '#src/channels/channel-context.ts'
import { lengthOf } from '#src/messages/length.ts'
import { sendMessage } from '#src/messages/send.ts'
import { sendOptions, useDraft, withoutSilent } from '#src/messages/use-draft.ts'
import { useTypingNotice } from '#src/messages/use-typing-notice.ts'
import { useSession } from '#src/session/context.ts'
import { emptyDraft } from '#src/store/draft.ts'

/** What is being written in a thread. Without another choice it answers the message that it is given. */
export function useThreadComposer(answered: { id: string; isOwn: boolean }, onSent: () => void) {
  const session = useSession()
  const channel = useChannel()
  const { draft, written, change, name } = useDraft(channel)
  const typing = useTypingNotice(channel.address)
  const { text, isSilent } = withoutSilent(written)
  const length = lengthOf(text)
  const left = limits.messageMax - length
  const isSendable = length > 0 && left >= 0

  function write(content: string) {
    change({ content })
    if (content.trim() !== '') typing.notify()
  }

  function send(silently = isSilent) {
    if (!isSendable) return
    const reply = draft.reply ?? { id: answered.id, mentions: !answered.isOwn }
    const options = sendOptions({ reply }, silently ? MessageFlag.SuppressNotifications : 0)
    sendMessage(session, channel.address, { content: text, options })
    change(emptyDraft)
    typing.reset()
    onSent()
  }

  return { draft, left, isSendable, change, name, write, send }
}
