import { Menu } from '@base-ui/react/menu'
import type { Member } from '@foyer/protocol/members'
import type { Message } from '@foyer/protocol/messages'
import {
  CircleCheck,
  Copy,
  EyeOff,
  Flag,
  FolderInput,
  Forward,
  Link,
  ListChecks,
  type LucideIcon,
  MailOpen,
  MessageSquareReply,
  MessagesSquare,
  Pencil,
  Pin,
  PinOff,
  Reply,
  SmilePlus,
  Trash2,
  Users,
} from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { knownTone, recentKeys } from '#src/emojis/picker-memory.ts'
import { ReactionEmoji } from '#src/emojis/reaction-emoji.tsx'
import { t } from '#src/language/texts.ts'
import type { MemberAction } from '#src/members/actions/member-menu.tsx'
import '#src/ui/popups/menu.css'
import { AuthorDialog, AuthorItems, useAuthorMember } from './author-items.tsx'
import type { MessageAction, MessageActionId } from './message-actions.ts'
import './message-menu.css'
import type { MenuAnchor } from '#src/ui/popups/menu-anchor.ts'

interface MessageMenuProps {
  message: Message
  at: MenuAnchor
  actions: readonly MessageAction[]
  row: RefObject<HTMLElement | null>
  /** Null without the permission to react. */
  onReact: ((emoji: string) => void) | null
  onRun: (action: MessageAction) => Promise<void>
  onClose: () => void
}

const icons: Readonly<Record<MessageActionId, LucideIcon>> = {
  react: SmilePlus,
  reply: Reply,
  replies: MessageSquareReply,
  thread: MessagesSquare,
  forward: Forward,
  reactions: Users,
  edit: Pencil,
  copy: Copy,
  link: Link,
  answer: CircleCheck,
  pin: Pin,
  unpin: PinOff,
  unread: MailOpen,
  suppress: EyeOff,
  select: ListChecks,
  move: FolderInput,
  report: Flag,
  delete: Trash2,
}

/** Actions that move the focus to a text field or the picker. */
const MOVING = ['react', 'reply', 'edit', 'replies', 'thread']

/** Menu with all actions for a message. */
export function MessageMenu({ message, at, actions, row, onReact, onRun, onClose }: MessageMenuProps) {
  const { spaceId } = useChannel()
  const [quick] = useState(quickReactions)
  const hasMoved = useRef(false)
  const member = useAuthorMember(message)
  const [chosen, setChosen] = useState<{ action: MemberAction; member: Member } | null>(null)
  const isChosen = useRef(false)

  /** Replaces the menu with a dialog, which keeps showing the member as they were before the action changed them. */
  function choose(action: MemberAction, of: Member) {
    isChosen.current = true
    setChosen({ action, member: of })
  }

  if (chosen !== null) return <AuthorDialog {...chosen} message={message} row={row} onClose={onClose} />
  return (
    <Menu.Root open onOpenChange={(open) => !open && !isChosen.current && onClose()}>
      <Menu.Portal>
        <Menu.Positioner
          className="floating"
          anchor={at}
          side="bottom"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          // A message can be as tall as the window; the menu then covers it.
          sticky
        >
          <Menu.Popup
            className="menu message-menu"
            aria-label={t('Message')}
            finalFocus={() => (hasMoved.current ? false : row.current)}
          >
            {onReact !== null && (
              <div className="quick-reactions">
                {quick.map((emoji) => (
                  <Menu.Item
                    key={emoji}
                    className="quick-reaction"
                    aria-label={t('React with {emoji}', { emoji })}
                    onClick={() => onReact(emoji)}
                  >
                    <ReactionEmoji emoji={emoji} />
                  </Menu.Item>
                ))}
              </div>
            )}
            {actions.map((action) => (
              <Item
                key={action.id}
                action={action}
                onRun={() => {
                  hasMoved.current = MOVING.includes(action.id)
                  void onRun(action)
                }}
              />
            ))}
            {spaceId !== null && member !== null && (
              <AuthorItems spaceId={spaceId} member={member} onChoose={(action) => choose(action, member)} />
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

function Item({ action, onRun }: { action: MessageAction; onRun: () => void }) {
  const Icon = icons[action.id]
  return (
    <Menu.Item className={action.isDanger ? 'menu-item menu-danger' : 'menu-item'} onClick={onRun}>
      <Icon aria-hidden="true" />
      <span className="menu-label">{action.label}</span>
      {action.key !== undefined && (
        <span className="menu-key" aria-hidden="true">
          {action.key === 'Delete' ? t('Del') : action.key.toUpperCase()}
        </span>
      )}
    </Menu.Item>
  )
}

const QUICK = 5
const USUAL = ['👍', '❤️', '😂', '🎉', '😮']
const TONED = ['👍🏻', '👍🏼', '👍🏽', '👍🏾', '👍🏿']

/**
 * Returns recently used emoji, then common ones. Space emoji are left to the picker, as they do not work
 * everywhere.
 */
function quickReactions(): string[] {
  const recent = recentKeys().filter((key) => !/^[0-9a-f-]{36}$/.test(key))
  const usual = [TONED[knownTone() - 1] ?? '👍', ...USUAL.slice(1)]
  return [...new Set([...recent, ...usual])].slice(0, QUICK)
}
