import type { ApplicationCommand, CommandOption } from '@foyer/protocol/commands'
import type { Events } from '@foyer/protocol/events'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import { t } from '#src/language/texts.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import './application-commands.css'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'

/** The commands that the bot's program has registered. */
export function ApplicationCommands({ applicationId }: { applicationId: string }) {
  const ask = useCallback(
    (client: Client, options: CallOptions) => client.interactions.listCommands(applicationId, options),
    [applicationId],
  )
  const { answer, again } = useAnswer(ask)
  const onUpdate = useCallback(
    ({ application_id }: Events['APPLICATION_COMMANDS_UPDATE']) => {
      if (application_id === applicationId) again()
    },
    [applicationId, again],
  )
  useEvent('APPLICATION_COMMANDS_UPDATE', onUpdate)
  if (answer.state === 'loading') return <Skeleton />
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  if (answer.value.length === 0)
    return <p className="settings-note">{t('No commands yet. They appear once your bot registers them.')}</p>
  return (
    <ul className="command-list">
      {answer.value.map((command) => (
        <Command key={command.id} command={command} />
      ))}
    </ul>
  )
}

function Command({ command: { name, description, options } }: { command: ApplicationCommand }) {
  return (
    <li>
      <p className="command-title">
        <strong>/{name}</strong> <span>{description}</span>
      </p>
      {options.length > 0 && (
        <ul className="command-options" aria-label={t('Options for {name}', { name })}>
          {options.map((option) => (
            <li key={option.name}>
              <code>{option.name}</code> <span>{factsOf(option)}</span>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** Names of the option types. */
const kinds: Readonly<Record<string, string>> = {
  string: t('text'),
  integer: t('whole number'),
  number: t('number'),
  boolean: t('yes or no'),
  user: t('a user'),
  room: t('a room'),
  role: t('a role'),
}

function factsOf({ type, required, autocomplete, choices, description }: CommandOption): string {
  const kind =
    choices.length > 0
      ? t('one of {choices}', { choices: choices.map(({ name }) => name).join(', ') })
      : (kinds[type] ?? type)
  const facts = [kind, ...(required ? [t('required')] : []), ...(autocomplete ? [t('with suggestions')] : [])]
  return `${description} (${facts.join(', ')})`
}
