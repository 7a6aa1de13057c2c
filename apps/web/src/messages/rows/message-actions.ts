import { type Message, MessageFlag, MessageType } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { type OpenChannel, useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { readable } from '#src/mentions/readable.ts'
import { useSession } from '#src/session/context.ts'
import type { Session } from '#src/session/session.ts'
import { markUnread } from '#src/unread/read-marks.ts'
import { isSystem } from '../content/system-message.tsx'
import { isEditable } from '../editing/is-editable.ts'
import { openThread } from '../reading/open-thread.ts'
import { startSelection } from '../selection/selection.ts'
import { replyTo } from '../sending/reply-target.ts'

export type MessageActionId =
  | 'react'
  | 'reply'
  | 'replies'
  | 'thread'
  | 'forward'
  | 'reactions'
  | 'edit'
  | 'copy'
  | 'link'
  | 'answer'
  | 'pin'
  | 'unpin'
  | 'unread'
  | 'suppress'
  | 'select'
  | 'move'
  | 'report'
  | 'delete'

/**
 * An action that the user can take on a message. Icons are set by the toolbar; most actions only appear in the menu.
 */
export interface MessageAction {
  readonly id: MessageActionId
  readonly label: string
  /** Key that runs the action while the message is focused. */
  readonly key?: string
  readonly isDanger?: boolean
  run(): unknown
}

/** Thread actions of a message; null without permission, and outside of text rooms. */
export interface ThreadControls {
  readonly startThread: (() => void) | null
  /** Opens the thread that began from the message. */
  readonly openStarted: (() => void) | null
  /** Moves the message into a thread or post. */
  readonly move: Pick<MessageAction, 'label' | 'run'> | null
  /** True if replies in this room are written in threads. */
  readonly opensThreads: boolean
}

/** Dialogs and notices of the row around a message. */
export interface RowControls {
  readonly mayEdit: boolean
  readonly mayDelete: boolean
  edit(): void
  askDelete(): void
  pick(): void
  forward(): void
  listReactions(): void
  report(): void
  readonly threads: ThreadControls
  /** @param done notice shown after copying */
  copy(text: string, done: string): unknown
}

/** Returns the user's actions for the message, in display order. */
export function useMessageActions(message: Message, controls: RowControls): readonly MessageAction[] {
  const session = useSession()
  const channel = useChannel()
  return actionsFor({ session, channel, message, controls }).filter((action) => action !== null)
}

interface Situation {
  readonly session: Session
  readonly channel: OpenChannel
  readonly message: Message
  readonly controls: RowControls
}

type Maybe = MessageAction | null

function actionsFor(at: Situation): Maybe[] {
  // Ephemeral messages exist only in this client.
  if ((at.message.flags & MessageFlag.Ephemeral) !== 0) return [copying(at)]
  const all = [
    ...answering(at),
    ...changing(at),
    copying(at),
    linking(at),
    ...keeping(at),
    ...removing(at),
    reporting(at),
    deleting(at),
  ]
  // Messages can be selected or marked as unread only in the channel's own list, not in a thread beside it.
  return at.channel.threadId === undefined
    ? all
    : all.filter((action) => action?.id !== 'select' && action?.id !== 'unread')
}

function answering({ session, channel, message, controls }: Situation): Maybe[] {
  const maySend = channel.may(Permission.SendMessages)
  const isForwardable = [MessageType.Default, MessageType.InteractionResponse].some(
    (type) => type === message.type,
  )
  const { threads } = controls
  const inThread = threads.opensThreads ? (threads.openStarted ?? threads.startThread) : null
  const reply = () => replyTo(session, channel, message)
  const threadId = message.thread_id ?? (message.replies === null ? null : message.id)
  return [
    maySend && channel.may('AddReactions')
      ? { id: 'react', label: t('Add reaction'), key: '+', run: controls.pick }
      : null,
    maySend
      ? { id: 'reply', label: inThread ? t('Reply in thread') : t('Reply'), key: 'r', run: inThread ?? reply }
      : null,
    threadId !== null && channel.threadId === undefined
      ? {
          id: 'replies',
          label: t('View replies'),
          key: 't',
          run: () => openThread(session, channel.id, threadId),
        }
      : null,
    ...threading(threads, maySend),
    isForwardable ? { id: 'forward', label: t('Forward'), key: 'f', run: controls.forward } : null,
    message.reactions.length > 0
      ? { id: 'reactions', label: t('Show reactions'), run: controls.listReactions }
      : null,
  ]
}

/** Returns the thread action. Where replies open threads, members who may write use the action `reply` instead. */
function threading({ openStarted, startThread, opensThreads }: ThreadControls, maySend: boolean): Maybe[] {
  if (!maySend) return [openStarted && { id: 'thread', label: t('Open thread'), key: 's', run: openStarted }]
  if (opensThreads) return []
  if (openStarted !== null) return [{ id: 'thread', label: t('Reply in thread'), key: 's', run: openStarted }]
  return [startThread && { id: 'thread', label: t('Start thread'), key: 's', run: startThread }]
}

function changing({ controls, message }: Situation): Maybe[] {
  const isOwnText = controls.mayEdit && isEditable(message)
  return [isOwnText ? { id: 'edit', label: t('Edit message'), key: 'e', run: controls.edit } : null]
}

function copying({ session, channel, message, controls }: Situation): Maybe {
  const { content } = message.snapshot ?? message
  if (content === '') return null
  const names = { ...channel, people: message.mentions }
  const copy = () => controls.copy(readable(session.store.get(), names, content), t('Text copied.'))
  return { id: 'copy', label: t('Copy text'), key: 'c', run: copy }
}

function linking({ channel, message, controls }: Situation): Maybe {
  const link = `${window.location.origin}${channel.path}/${message.id}`
  const copy = () => controls.copy(link, t('Link copied.'))
  return { id: 'link', label: t('Copy link'), key: 'l', run: copy }
}

function keeping({ session, channel, message }: Situation): Maybe[] {
  const { client } = session
  const answer = channel.answering?.(message)
  const mayPin = channel.may(Permission.PinMessages) && !isSystem(message)
  const pin = () => client.pins.add(channel.address, message.id)
  const unpin = () => client.pins.remove(channel.address, message.id)
  const unread = () => markUnread(session, message)
  const pinning: MessageAction = message.pinned
    ? { id: 'unpin', label: t('Unpin'), key: 'p', run: unpin }
    : { id: 'pin', label: t('Pin'), key: 'p', run: pin }
  return [
    answer ? { id: 'answer', ...answer } : null,
    mayPin ? pinning : null,
    // Marking as unread moves the read state to the previous message, which the first message does not have.
    message.seq === 1 ? null : { id: 'unread', label: t('Mark as unread from here'), key: 'u', run: unread },
  ]
}

function removing({ session, channel, message, controls }: Situation): Maybe[] {
  const mayManage = channel.may(Permission.ManageMessages)
  const select = () => startSelection(session, channel.id, message.id)
  const suppress = () =>
    session.client.messages
      .update(channel.address, message.id, { flags: message.flags ^ MessageFlag.SuppressEmbeds })
      .then((updated) => session.store.adopt('MESSAGE_UPDATE', updated))
  return [
    controls.mayDelete && hasPreviews(message)
      ? {
          id: 'suppress',
          label: isSuppressed(message) ? t('Show previews') : t('Remove previews'),
          run: suppress,
        }
      : null,
    mayManage || controls.threads.move !== null
      ? { id: 'select', label: t('Select messages'), run: select }
      : null,
    controls.threads.move && { id: 'move', ...controls.threads.move },
  ]
}

function reporting({ session, message, controls }: Situation): Maybe {
  const isOwn = message.webhook_id === null && message.author.id === session.store.get().me?.id
  if (isOwn || isSystem(message)) return null
  return { id: 'report', label: t('Report message'), run: controls.report, isDanger: true }
}

function deleting({ controls }: Situation): Maybe {
  if (!controls.mayDelete) return null
  return { id: 'delete', label: t('Delete message'), key: 'Delete', run: controls.askDelete, isDanger: true }
}

/** Returns true if the message may have previews. If they are suppressed, its links decide. */
function hasPreviews({ embeds, flags, content }: Message): boolean {
  return embeds.length > 0 || (isSuppressed({ flags }) && /https?:\/\//i.test(content))
}

function isSuppressed({ flags }: Pick<Message, 'flags'>): boolean {
  return (flags & MessageFlag.SuppressEmbeds) !== 0
}
