import type { AvailableCommand } from '@foyer/protocol/commands'
import { type RefObject, useEffect, useId, useMemo, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import '#src/ui/menu.css'
import type { CommandPlace } from './command-lists.ts'
import './slash-picker.css'
import { useListKeys } from '#src/ui/use-list-keys.ts'
import { meantCommands, nameOfBot, readQuery, typedOut } from './slash-query.ts'
import { useCommands } from './use-commands.ts'

export interface SlashPickerProps {
  place: CommandPlace
  /** What `slashQuery` found in the text: without its slash. */
  query: string
  /** Where it is typed: keeps the focus, and gives its arrows, Enter, Tab and Escape away while there is something to pick. */
  input: RefObject<HTMLElement | null>
  /** @param rest what was typed behind the name */
  onPick: (command: AvailableCommand, rest: string) => void
  onClose: () => void
}

/** The commands of the bots that are here, while one types the name of one. It stands above what it is typed in. */
export function SlashPicker({ place, query, input, onPick, onClose }: SlashPickerProps) {
  const { commands, state } = useCommands(place)
  const id = useId()
  const found = useMemo(() => meantCommands(commands, query), [commands, query])
  const [chosen, setChosen] = useState(0)
  const index = Math.min(chosen, found.length - 1)
  const pick = (command: AvailableCommand | undefined) =>
    command && onPick(command, readQuery(query).rest ?? '')
  const whole = typedOut(commands, query)
  // Who is faster than the answer must not send a command as a message.
  const isLooking = found.length === 0 && (state === 'loading' || state === 'stale')

  useListKeys(input, {
    listId: id,
    count: isLooking ? 1 : found.length,
    index,
    setIndex: setChosen,
    onClose,
    pick: () => pick(found[index]),
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: another name begins at its first command
  useEffect(() => setChosen(0), [query])

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the space behind the name that picks it
  useEffect(() => pick(whole), [whole])

  if (found.length === 0) return <Nothing query={query} state={state} />
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
            // The focus stays where one types.
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
  state: 'loading' | 'here' | 'stale' | 'failed'
}

/** What is sent is then a message like any other: nobody should wonder. */
function Nothing({ query, state }: NothingProps) {
  const { name } = readQuery(query)
  const texts = {
    loading: t('Looking for commands…'),
    stale: t('Looking for commands…'),
    failed: t('The commands could not be loaded.'),
    here:
      name === ''
        ? t('No bot here has commands.')
        : t('No bot here knows /{name}. It is sent as a message.', { name }),
  }
  return (
    <div className="popover slash-picker">
      <p role="status" className="menu-note">
        {texts[state]}
      </p>
    </div>
  )
}
