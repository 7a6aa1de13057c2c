import type { AvailableCommand, CommandOption } from '@foyer/protocol/commands'
import { Plus, SendHorizontal, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { CommandField } from './command-field.tsx'
import { useInteractions } from './interactions/use-interactions.ts'
import './command-form.css'
import type { CommandChannel } from './command-lists.ts'
import { type Drafts, emptyDraft, firstShown, readSoFar, readValues } from './command-values.ts'
import { nameOfBot } from './slash-query.ts'

export interface CommandFormProps {
  channel: CommandChannel
  command: AvailableCommand
  /** Text typed after the command's name; fills the first field. */
  rest: string
  /** Called after sending and when cancelled. */
  onClose: () => void
}

/** Form with a command's options, shown in place of the composer. */
export function CommandForm({ channel, command, rest, onClose }: CommandFormProps) {
  const interactions = useInteractions()
  const form = useRef<HTMLFormElement>(null)
  const [drafts, setDrafts] = useState<Drafts>(() => firstDrafts(command.options, rest))
  const [added, setAdded] = useState<readonly string[]>(() => firstShown(command.options))
  const [wasSent, setWasSent] = useState(false)
  const { options, errors } = readValues(command.options, drafts)
  const isShown = ({ name, required }: CommandOption) => required || name in drafts || added.includes(name)
  const about = { application_id: command.application_id, command_id: command.id, ...channelOf(channel) }
  const lastAdded = added.at(-1)

  // Focuses a field that was just added.
  useEffect(() => {
    const fields = form.current?.querySelectorAll('input')
    const begin = lastAdded === undefined ? fields?.[0] : fields?.[fields.length - 1]
    const submit = form.current?.querySelector<HTMLElement>('[type="submit"]')
    ;(begin ?? submit)?.focus()
  }, [lastAdded])

  function send() {
    setWasSent(true)
    if (Object.keys(errors).length > 0) {
      form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
      return
    }
    const label = `/${command.name}`
    const body = { ...about, type: 'command', options }
    interactions.ask({ channelId: channel.id, bot: command.bot, label, component: null, body })
    onClose()
  }

  function suggest(name: string, text: string, signal: AbortSignal) {
    const typed = readSoFar(command.options, drafts, { name, text })
    return interactions.suggest({ ...about, type: 'autocomplete', options: typed }, signal)
  }

  function leaveOut(name: string) {
    const { [name]: _, ...others } = drafts
    setDrafts(others)
    setAdded(added.filter((other) => other !== name))
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    onClose()
  }

  return (
    <form
      ref={form}
      className="command-form"
      aria-label={t('Command {name}', { name: command.name })}
      noValidate
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <header className="command-head">
        <Avatar id={command.bot.id} name={nameOfBot(command)} size="sm" picture={command.bot.avatar} />
        <strong>/{command.name}</strong>
        <span className="command-description">{command.description}</span>
        <IconButton label={t('Cancel')} icon={<X />} onClick={onClose} />
        <IconButton
          type="submit"
          label={t('Send command')}
          icon={<SendHorizontal />}
          className="composer-send"
        />
      </header>
      {command.options.length > 0 && (
        <div className="command-fields">
          {command.options.filter(isShown).map((option) => (
            <CommandField
              key={option.name}
              option={option}
              channel={channel}
              draft={drafts[option.name] ?? emptyDraft}
              error={wasSent ? errors[option.name] : undefined}
              onChange={(draft) => setDrafts((before) => ({ ...before, [option.name]: draft }))}
              onRemove={option.required ? null : () => leaveOut(option.name)}
              suggest={suggest}
            />
          ))}
          {command.options
            .filter((option) => !isShown(option))
            .map(({ name, description }) => (
              <button
                key={name}
                type="button"
                className="command-more"
                title={description}
                aria-label={t('Add {name}', { name })}
                onClick={() => setAdded([...added, name])}
              >
                <Plus aria-hidden="true" /> {name}
              </button>
            ))}
        </div>
      )}
    </form>
  )
}

function channelOf({ id, spaceId }: CommandChannel) {
  return spaceId === null ? { conversation_id: id } : { room_id: id }
}

/** Text typed after the name belongs to the first option. */
function firstDrafts([first]: readonly CommandOption[], rest: string): Drafts {
  return first === undefined || rest.trim() === '' ? {} : { [first.name]: { text: rest, chosen: null } }
}
