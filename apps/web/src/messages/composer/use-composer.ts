import { limits } from '@foyer/protocol/limits'
import { MessageFlag } from '@foyer/protocol/messages'
import type { SpaceSticker } from '@foyer/protocol/stickers'
import { useState } from 'react'
import { useDraftFiles } from '#src/attachments/uploads/use-draft-files.ts'
import { useChannel } from '#src/channels/channel-context.ts'
import { useSlowMode } from '#src/channels/use-slow-mode.ts'
import { useSession } from '#src/session/context.ts'
import { draftKeyOf, emptyDraft } from '#src/store/draft.ts'
import { sendMessage } from '../sending/send.ts'
import { lengthOf } from './length.ts'
import { type AnsweredBy, sendOptions, useDraft, withoutSilent } from './use-draft.ts'
import { useHeldCommand } from './use-held-command.ts'
import { useSendingCare } from './use-sending-care.ts'
import { useTypingIndicator } from './use-typing-indicator.ts'

/** The message that the composer of a thread replies to: the thread's first message, or if it was deleted, the last reply. */
export interface Answered {
  readonly id: string
  readonly isOwn: boolean
}

/**
 * The message being written, and the ways to send it.
 * @param answered message to reply to by default
 */
export function useComposer(onSent: () => void, answered?: Answered) {
  const session = useSession()
  const channel = useChannel()
  const { draft, written, change, name } = useDraft(channel)
  const files = useDraftFiles(channel)
  const typing = useTypingIndicator(channel.address)
  const { text, isSilent } = withoutSilent(written)
  const length = lengthOf(text)
  const left = limits.messageMax - length
  const reply = draft.reply ?? (answered && { id: answered.id, mentions: !answered.isOwn }) ?? null
  const isEmpty = length === 0 && files.uploads.length === 0
  const slowMode = useSlowMode(channel)
  const isSendable = !isEmpty && left >= 0 && slowMode.until === null
  const { takeOptions, ...room } = useSendOptions(reply)

  function write(content: string) {
    change({ content })
    if (content.trim() !== '') typing.notify()
  }

  const care = useSendingCare(channel)
  const { held, hold } = useHeldCommand(draft.content)

  function send(silently = isSilent) {
    if (isSendable && !hold(silently)) care.send(text, silently, (content) => sendNow(content, silently))
  }

  function sendNow(content: string, silently: boolean) {
    const uploadIds = files.take()
    if (uploadIds === null) return
    sendMessage(session, channel.address, { content, uploadIds, options: takeOptions(silently) })
    // Keeps text typed while the message was prepared.
    const { content: now } = session.store.get().drafts[draftKeyOf(channel)] ?? emptyDraft
    const rest = now.startsWith(draft.content) ? now.slice(draft.content.length) : now
    change({ ...emptyDraft, content: rest })
    typing.reset()
    onSent()
  }

  /** Sends content without the draft's text. The text stays in the field, unless it is only @silent. */
  function sendAlone(sent: Alone) {
    sendMessage(session, channel.address, { content: '', ...sent, options: takeOptions(isSilent) })
    change({ reply: null, ...(isEmpty && { content: '' }) })
    onSent()
  }

  const sending = { care, held, send, sendAlone, sendFile: (file: File) => sendFile(files, file, sendAlone) }
  return { draft, files, left, isEmpty, isSendable, isSilent, change, name, write, ...room, ...sending }
}

/** Options of the next message. “Also send to the room” is cleared after each message. */
function useSendOptions(reply: AnsweredBy) {
  const [isAlsoToRoom, setIsAlsoToRoom] = useState(false)
  function takeOptions(silently: boolean) {
    setIsAlsoToRoom(false)
    return sendOptions({ reply, isAlsoToRoom }, silently ? MessageFlag.SuppressNotifications : 0)
  }
  return { takeOptions, isAlsoToRoom, setIsAlsoToRoom }
}

/** Content sent without the draft's text. */
type Alone = { stickers: readonly SpaceSticker[] } | { uploadIds: readonly string[] }

/** Sends a file by itself, such as a recording. */
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
