import { Menu } from '@base-ui/react/menu'
import { type RefObject, useRef, useState } from 'react'
import { knownTone, recentKeys } from '#src/emojis/picker-memory.ts'
import { t } from '#src/language/texts.ts'
import { ReactionEmoji } from '#src/reactions/reaction-emoji.tsx'
import '#src/ui/menu.css'
import type { MessageAction } from './message-actions.ts'
import './message-menu.css'
import type { MenuPlace } from '#src/ui/menu-place.ts'

interface MessageMenuProps {
  at: MenuPlace
  actions: readonly MessageAction[]
  row: RefObject<HTMLElement | null>
  /** Null where one may not react. */
  onReact: ((emoji: string) => void) | null
  onRun: (action: MessageAction) => Promise<void>
  onClose: () => void
}

/** They take the focus where one goes on: to a text, or to the picker. */
const MOVING = ['react', 'reply', 'edit', 'thread']

/** Everything that one can do with a message. */
export function MessageMenu({ at, actions, row, onReact, onRun, onClose }: MessageMenuProps) {
  const [quick] = useState(quickReactions)
  const hasMoved = useRef(false)
  return (
    <Menu.Root open onOpenChange={(open) => !open && onClose()}>
      <Menu.Portal>
        <Menu.Positioner
          className="floating"
          anchor={at}
          side="bottom"
          align="start"
          sideOffset={4}
          collisionPadding={8}
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
              <Menu.Item
                key={action.id}
                className={action.isDanger ? 'menu-item menu-danger' : 'menu-item'}
                onClick={() => {
                  hasMoved.current = MOVING.includes(action.id)
                  void onRun(action)
                }}
              >
                <action.icon aria-hidden="true" />
                <span className="menu-label">{action.label}</span>
                {action.key !== undefined && (
                  <span className="menu-key" aria-hidden="true">
                    {action.key === 'Delete' ? t('Del') : action.key.toUpperCase()}
                  </span>
                )}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

const QUICK = 5
const USUAL = ['👍', '❤️', '😂', '🎉', '😮']
const TONED = ['👍🏻', '👍🏼', '👍🏽', '👍🏾', '👍🏿']

/** What was used last, and then what most people use. Those of spaces are not everywhere: they are in the picker. */
function quickReactions(): string[] {
  const recent = recentKeys().filter((key) => !/^[0-9a-f-]{36}$/.test(key))
  const usual = [TONED[knownTone() - 1] ?? '👍', ...USUAL.slice(1)]
  return [...new Set([...recent, ...usual])].slice(0, QUICK)
}
