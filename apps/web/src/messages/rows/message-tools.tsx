import type { Message } from '@foyer/protocol/messages'
import { Ellipsis, MessagesSquare, Pencil, Reply, SmilePlus, Trash2 } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { EmojiPopover } from '#src/emojis/emoji-popover.tsx'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import type { MenuAnchor } from '#src/ui/popups/menu-anchor.ts'
import { useReport } from '../reporting/use-report.tsx'
import { type MessageAction, type RowControls, useMessageActions } from './message-actions.ts'
import { useThreadControls } from './use-thread-controls.tsx'

const MessageMenu = lazyPopup(() => import('./message-menu.tsx').then((module) => module.MessageMenu))

interface MessageToolsProps {
  message: Message
  controls: Omit<RowControls, 'report' | 'threads'>
  row: RefObject<HTMLElement | null>
  /** Key pressed before this component was loaded; handled if the message still has the focus. */
  earlyKey: RefObject<KeyboardEvent | null>
  isPicking: boolean
  onPick: (isPicking: boolean) => void
  onReact: (emoji: string) => void
  onProblem: (problem: string | null) => void
  menuAt: MenuAnchor | null
  openMenu: (at: MenuAnchor) => void
  closeMenu: () => void
}

/** Actions with their own button. The menu contains all actions. */
const IN_REACH = [
  ['reply', Reply],
  ['thread', MessagesSquare],
  ['edit', Pencil],
  ['delete', Trash2],
] as const

/** A message's actions: buttons, the menu, and keys while it has the focus. */
export function MessageTools(props: MessageToolsProps) {
  const { message, controls, row, earlyKey, isPicking, onPick, onReact, onProblem, menuAt, openMenu } = props
  const { spaceId } = useChannel()
  const report = useReport(message)
  const threads = useThreadControls(message)
  const actions = useMessageActions(message, { ...controls, report, threads })
  const mayReact = actions.some(({ id }) => id === 'react')

  async function run(action: MessageAction) {
    onProblem(null)
    try {
      await action.run()
    } catch (error) {
      onProblem(errorMessage(error))
    }
  }
  useRowKeys(row, { actions, earlyKey, run, openMenu })

  if (actions.length === 0) return null
  return (
    <>
      <div className="message-tools" role="toolbar" aria-label={t('Message')}>
        {mayReact && (
          <EmojiPopover
            spaceId={spaceId}
            open={isPicking}
            onOpenChange={onPick}
            trigger={<IconButton label={t('Add reaction')} icon={<SmilePlus />} />}
            onEmoji={(emoji) => {
              onReact(emoji)
              // Returns the focus to the message, so that keyboard navigation continues there.
              row.current?.focus({ preventScroll: true })
            }}
          />
        )}
        {IN_REACH.map(([wanted, Icon]) => {
          const action = actions.find(({ id }) => id === wanted)
          if (action === undefined) return null
          return (
            <IconButton key={wanted} label={action.label} icon={<Icon />} onClick={() => void run(action)} />
          )
        })}
        <IconButton
          label={t('More')}
          icon={<Ellipsis />}
          aria-haspopup="menu"
          aria-expanded={menuAt !== null}
          onClick={(event) => openMenu(event.currentTarget)}
        />
      </div>
      {menuAt !== null && (
        <MessageMenu
          message={message}
          at={menuAt}
          actions={actions}
          row={row}
          onReact={mayReact ? onReact : null}
          onRun={run}
          onClose={props.closeMenu}
        />
      )}
    </>
  )
}

interface RowKeys {
  readonly actions: readonly MessageAction[]
  readonly earlyKey: RefObject<KeyboardEvent | null>
  readonly run: (action: MessageAction) => Promise<void>
  readonly openMenu: (at: MenuAnchor) => void
}

/** Handles keys only while the message itself has the focus. */
function useRowKeys(row: RefObject<HTMLElement | null>, { actions, earlyKey, run, openMenu }: RowKeys): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const element = row.current
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey
    if (element === null || event.target !== element || hasModifier) return
    const action = actions.find(
      ({ key }) => key === event.key || (key === 'Delete' && event.key === 'Backspace'),
    )
    if (action === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (action === undefined) openMenu(element)
    else void run(action)
  })
  useEffect(() => {
    const element = row.current
    element?.addEventListener('keydown', onKeyDown)
    if (earlyKey.current !== null) onKeyDown(earlyKey.current)
    earlyKey.current = null
    return () => element?.removeEventListener('keydown', onKeyDown)
  }, [row, earlyKey])
}
