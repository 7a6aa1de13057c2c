import { limits } from '@foyer/protocol/limits'
import { MessageFlag } from '@foyer/protocol/messages'
import type { SpaceSticker } from '@foyer/protocol/stickers'
import { useDraftFiles } from '#src/attachments/use-draft-files.ts'
import { useChannel } from '#src/channels/channel-context.ts'
import { useSession } from '#src/session/context.ts'
import { draftKeyOf, emptyDraft } from '#src/store/draft.ts'
import { lengthOf } from './length.ts'
import { sendMessage } from './send.ts'
import { sendOptions, useDraft, withoutSilent } from './use-draft.ts'
import { useSendingCare } from './use-sending-care.ts'
import { useTypingNotice } from './use-typing-notice.ts'

/** What is answered where one writes in a thread: its first message, or the last one that is left. */
export interface Answered {
  readonly id: string
  readonly isOwn: boolean
}

/**
 * What is being written, and the ways in which it is sent.
 * @param answered what it answers without another choice
 */
export function useComposer(onSent: () => void, answered?: Answered) {
  const session = useSession()
  const channel = useChannel()
  const { draft, written, change, name } = useDraft(channel)
  const files = useDraftFiles(channel)
  const typing = useTypingNotice(channel.address)
  const { text, isSilent } = withoutSilent(written)
  const length = lengthOf(text)
  const left = limits.messageMax - length
  const reply = draft.reply ?? (answered && { id: answered.id, mentions: !answered.isOwn }) ?? null
  const isEmpty = length === 0 && files.uploads.length === 0
  const isSendable = !isEmpty && left >= 0
  const optionsOf = (silently: boolean) =>
    sendOptions({ reply }, silently ? MessageFlag.SuppressNotifications : 0)

  function write(content: string) {
    change({ content })
    if (content.trim() !== '') typing.notify()
  }

  const care = useSendingCare(channel)

  function send(silently = isSilent) {
    if (isSendable) care.send(text, silently, (content) => sendNow(content, silently))
  }

  function sendNow(content: string, silently: boolean) {
    const uploadIds = files.take()
    if (uploadIds === null) return
    sendMessage(session, channel.address, { content, uploadIds, options: optionsOf(silently) })
    // The rest was typed while the message was prepared.
    const { content: now } = session.store.get().drafts[draftKeyOf(channel)] ?? emptyDraft
    const rest = now.startsWith(draft.content) ? now.slice(draft.content.length) : now
    change({ ...emptyDraft, content: rest })
    typing.reset()
    onSent()
  }

  /** What is written is for later, but for a word that nothing is left to be silenced by. */
  function sendAlone(sent: Alone) {
    sendMessage(session, channel.address, { content: '', ...sent, options: optionsOf(isSilent) })
    change({ reply: null, ...(isEmpty && { content: '' }) })
    onSent()
  }

  const sending = { care, send, sendAlone, sendFile: (file: File) => sendFile(files, file, sendAlone) }
  return { draft, files, left, isEmpty, isSendable, isSilent, change, name, write, ...sending }
}

/** Sent without the text that is being written. */
type Alone = { stickers: readonly SpaceSticker[] } | { uploadIds: readonly string[] }

/** By itself, as what was recorded is. */
function sendFile(
  files: ReturnType<typeof useDraftFiles>,
  file: File,
  sendAlone: (sent: Alone) => void,
): void {
  files.add({ files: [file], hasFolders: false })
  const uploadIds = files.take() ?? []
  if (uploadIds.length > 0) sendAlone({ uploadIds })
}

export type ComposerState = ReturnType<typeof useComposer>
