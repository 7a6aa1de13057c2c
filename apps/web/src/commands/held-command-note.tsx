import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { emptyText } from './empty-text.ts'
import './held-command-note.css'
import { useCommands } from './use-commands.ts'

interface HeldCommandNoteProps {
  name: string
  isThread: boolean
  onSend: () => void
}

/** Explains that the text was not sent because it starts like a command, and offers to send it. */
export function HeldCommandNote({ name, isThread, onSend }: HeldCommandNoteProps) {
  const { commands, state } = useCommands(useChannel())
  const isKnown = commands.some((command) => command.name === name)
  return (
    <div className="held-command">
      <span role="alert">{textOf()}</span>
      <Button look="text" onClick={onSend}>
        {t('Send as message')}
      </Button>
    </div>
  )

  function textOf(): string {
    if (isThread) return t('Commands don’t work in replies.')
    return isKnown
      ? t('/{name} is a command. Choose it from the list to run it.', { name })
      : emptyText(state, name)
  }
}
