import { limits } from '@foyer/protocol/limits'
import { MessageFlag } from '@foyer/protocol/messages'
import type { SpaceSticker } from '@foyer/protocol/stickers'
import { useDraftFiles } from '#src/attachments/use-draft-files.ts'
import { useChannel } from '#src/channels/channel-context.ts'
import { useSession } from '#src/session/context.ts'
import { emptyDraft } from '#src/store/draft.ts'
import { lengthOf } from './length.ts'
import { sendMessage } from './send.ts'
import { sendOptions, useDraft, withoutSilent } from './use-draft.ts'
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

  function send(silently = isSilent) {
    const uploadIds = isSendable ? files.take() : null
    if (uploadIds === null) return
    sendMessage(session, channel.address, { content: text, uploadIds, options: optionsOf(silently) })
    change(emptyDraft)
    typing.reset()
    onSent()
  }

  /** What is written is for later, but for a word that nothing is left to be silenced by. */
  function sendAlone(sent: { stickers: readonly SpaceSticker[] } | { uploadIds: readonly string[] }) {
    sendMessage(session, channel.address, { content: '', ...sent, options: optionsOf(isSilent) })
    change({ reply: null, ...(isEmpty && { content: '' }) })
    onSent()
  }

  /** By itself, as what was recorded is. */
  function sendFile(file: File) {
    files.add({ files: [file], hasFolders: false })
    const uploadIds = files.take() ?? []
    if (uploadIds.length > 0) sendAlone({ uploadIds })
  }

  return { draft, files, left, isEmpty, isSendable, isSilent, change, name, write, send, sendAlone, sendFile }
}

export type ComposerState = ReturnType<typeof useComposer>
