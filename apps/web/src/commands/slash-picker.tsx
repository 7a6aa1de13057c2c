import type { AvailableCommand } from '@foyer/protocol/commands'
import { type RefObject, useEffect, useId, useMemo, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import '#src/ui/popups/menu.css'
import type { CommandChannel, CommandsState } from './command-lists.ts'
import { emptyText } from './empty-text.ts'
import './slash-picker.css'
import { useListKeys } from '#src/ui/lists/use-list-keys.ts'
import { meantCommands, nameOfBot, readQuery, typedOut } from './slash-query.ts'
import { useCommands } from './use-commands.ts'

export interface SlashPickerProps {
  channel: CommandChannel
  /** Result of `slashQuery`, without the slash. */
  query: string
  /** The text field. It keeps the focus, while arrows, Enter, Tab and Escape control the list. */
  input: RefObject<HTMLElement | null>
  /** True while `HeldCommandNote` is shown: it already says that no command matches. */
  isHeld: boolean
  /** @param rest text typed after the name */
  onPick: (command: AvailableCommand, rest: string) => void
  onClose: () => void
}

/** List of matching commands above the composer. */
export function SlashPicker({ channel, query, input, isHeld, onPick, onClose }: SlashPickerProps) {
  const { commands, state } = useCommands(channel)
  const id = useId()
  const found = useMemo(() => meantCommands(commands, query), [commands, query])
  const [chosen, setChosen] = useState(0)
  const index = Math.min(chosen, found.length - 1)
  const pick = (command: AvailableCommand | undefined) =>
    command && onPick(command, readQuery(query).rest ?? '')
  const whole = typedOut(commands, query)
  // Until the commands are loaded, Enter must not send a command as a message.
  const isLooking = found.length === 0 && (state === 'loading' || state === 'stale')

  useListKeys(input, {
    listId: id,
    count: isLooking ? 1 : found.length,
    index,
    setIndex: setChosen,
    onClose,
    pick: () => pick(found[index]),
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new name selects the first match
  useEffect(() => setChosen(0), [query])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a space after the name picks the command
  useEffect(() => pick(whole), [whole])

  if (found.length === 0) return isHeld ? null : <Nothing query={query} state={state} />
  return (
    <div className="popover slash-picker">
      <p className="slash-heading">{t('Commands')}</p>
      <div id={id} role="listbox" aria-label={t('Commands')} className="slash-list">
        {found.map((command, at) => (
          <button
            key={command.id}
            id={`${id}-${at}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={at === index}
            className="slash-command"
            // Keeps the focus in the text field.
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={() => setChosen(at)}
            onClick={() => pick(command)}
          >
            <Avatar id={command.bot.id} name={nameOfBot(command)} size="sm" picture={command.bot.avatar} />
            <span className="slash-names">
              <span className="slash-name">
                /{command.name} <OptionNames command={command} />
              </span>
              <span className="slash-description">{command.description}</span>
            </span>
            <span className="slash-bot">{nameOfBot(command)}</span>
          </button>
        ))}
      </div>
    </div>
  )
}

function OptionNames({ command }: { command: AvailableCommand }) {
  return (
    <span className="slash-options">
      {command.options.map(({ name, required }) => (required ? name : `${name}?`)).join(' ')}
    </span>
  )
}

interface NothingProps {
  query: string
  state: CommandsState
}

function Nothing({ query, state }: NothingProps) {
  return (
    <div className="popover slash-picker">
      <p role="status" className="menu-note">
        {emptyText(state, readQuery(query).name)}
      </p>
    </div>
  )
}
