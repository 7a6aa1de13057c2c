import { type Message, MessageFlag, MessageType } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import {
  Copy,
  EyeOff,
  Forward,
  Link,
  ListChecks,
  type LucideIcon,
  MailOpen,
  MessagesSquare,
  Pencil,
  Pin,
  PinOff,
  Reply,
  SmilePlus,
  Trash2,
  Users,
} from 'lucide-react'
import { type OpenChannel, useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { readable } from '#src/mentions/readable.ts'
import { useSession } from '#src/session/context.ts'
import type { Session } from '#src/session/session.ts'
import { openThread } from '#src/threads/open-thread.ts'
import { copyText } from '#src/ui/clipboard.ts'
import { markUnread } from './read-marks.ts'
import { replyTo } from './reply-target.ts'
import { startSelection } from './selection.ts'
import { isSystem } from './system-message.tsx'

/** Something that one can do with a message. */
export interface MessageAction {
  readonly id: string
  readonly label: string
  readonly icon: LucideIcon
  /** The key that does it while the message has the focus. */
  readonly key?: string
  readonly isDanger?: boolean
  run(): unknown
}

/** What the row around a message opens. */
export interface RowControls {
  readonly mayEdit: boolean
  readonly mayDelete: boolean
  edit(): void
  askDelete(): void
  pick(): void
  forward(): void
  listReactions(): void
}

/** All that one may do with the message, in the order in which it is offered. */
export function useMessageActions(message: Message, controls: RowControls): readonly MessageAction[] {
  const session = useSession()
  const channel = useChannel()
  return actionsFor({ session, channel, message, controls }).filter((action) => action !== null)
}

/** Whether its author may write it anew: what was forwarded is as it was. */
export function isEditable(message: Message): boolean {
  return !isSystem(message) && message.snapshot === null
}

interface Situation {
  readonly session: Session
  readonly channel: OpenChannel
  readonly message: Message
  readonly controls: RowControls
}

type Maybe = MessageAction | null

function actionsFor(at: Situation): Maybe[] {
  // What only the reader sees is nowhere but here.
  if ((at.message.flags & MessageFlag.Ephemeral) !== 0) return [copying(at)]
  const all = [...answering(at), ...changing(at), copying(at), linking(at), ...keeping(at), ...removing(at)]
  // These are of the list that is read.
  return at.channel.threadId === undefined
    ? all
    : all.filter((action) => action?.id !== 'select' && action?.id !== 'unread')
}

function answering({ session, channel, message, controls }: Situation): Maybe[] {
  const maySend = channel.may(Permission.SendMessages)
  const isForwardable = [MessageType.Default, MessageType.InteractionResponse].some(
    (type) => type === message.type,
  )
  const reply = () => replyTo(session, channel, message)
  const threadId = message.thread_id ?? (message.replies === null ? null : message.id)
  return [
    maySend ? { id: 'react', label: t('Add reaction'), icon: SmilePlus, key: '+', run: controls.pick } : null,
    maySend ? { id: 'reply', label: t('Reply'), icon: Reply, key: 'r', run: reply } : null,
    threadId !== null && channel.threadId === undefined
      ? {
          id: 'thread',
          label: t('View thread'),
          icon: MessagesSquare,
          key: 't',
          run: () => openThread(session, channel.id, threadId),
        }
      : null,
    isForwardable
      ? { id: 'forward', label: t('Forward'), icon: Forward, key: 'f', run: controls.forward }
      : null,
    message.reactions.length > 0
      ? { id: 'reactions', label: t('Show reactions'), icon: Users, run: controls.listReactions }
      : null,
  ]
}

function changing({ controls, message }: Situation): Maybe[] {
  const isOwnText = controls.mayEdit && isEditable(message)
  return [
    isOwnText ? { id: 'edit', label: t('Edit message'), icon: Pencil, key: 'e', run: controls.edit } : null,
  ]
}

function copying({ session, channel, message }: Situation): Maybe {
  const { content } = message.snapshot ?? message
  if (content === '') return null
  const names = { ...channel, people: message.mentions }
  const copy = () => copyText(readable(session.store.get(), names, content))
  return { id: 'copy', label: t('Copy text'), icon: Copy, key: 'c', run: copy }
}

function linking({ channel, message }: Situation): Maybe {
  const link = `${window.location.origin}${channel.path}/${message.id}`
  return { id: 'link', label: t('Copy link'), icon: Link, key: 'l', run: () => copyText(link) }
}

function keeping({ session, channel, message }: Situation): Maybe[] {
  const { client } = session
  const mayPin = channel.may(Permission.PinMessages) && !isSystem(message)
  const pin = () => client.pins.add(channel.address, message.id)
  const unpin = () => client.pins.remove(channel.address, message.id)
  const unread = () => markUnread(session, message)
  const pinning = message.pinned
    ? { id: 'unpin', label: t('Unpin'), icon: PinOff, key: 'p', run: unpin }
    : { id: 'pin', label: t('Pin'), icon: Pin, key: 'p', run: pin }
  return [
    mayPin ? pinning : null,
    // Before the first there is nothing that one could have read last.
    message.seq === 1
      ? null
      : { id: 'unread', label: t('Mark as unread from here'), icon: MailOpen, key: 'u', run: unread },
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
          icon: EyeOff,
          run: suppress,
        }
      : null,
    mayManage ? { id: 'select', label: t('Select messages'), icon: ListChecks, run: select } : null,
    controls.mayDelete
      ? {
          id: 'delete',
          label: t('Delete message'),
          icon: Trash2,
          key: 'Delete',
          run: controls.askDelete,
          isDanger: true,
        }
      : null,
  ]
}

/** What was suppressed may have had some. */
function hasPreviews({ embeds, flags, content }: Message): boolean {
  return embeds.length > 0 || (isSuppressed({ flags }) && /https?:\/\//i.test(content))
}

function isSuppressed({ flags }: Pick<Message, 'flags'>): boolean {
  return (flags & MessageFlag.SuppressEmbeds) !== 0
}
