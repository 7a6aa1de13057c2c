import type { AvailableCommand } from '@foyer/protocol/commands'
import { Suspense, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { useSession } from '#src/session/context.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { useSelection } from '../selection/selection.ts'
import { ComposerForm, type ComposerProps } from './composer-form.tsx'

const SelectionBar = lazyPopup(() =>
  import('../selection/selection-bar.tsx').then((module) => module.SelectionBar),
)

const CommandForm = lazyComponent(() =>
  import('#src/commands/command-form.tsx').then((module) => module.CommandForm),
)

/** The composer; replaced by a command form or by the bar for selected messages. */
export function Composer(props: ComposerProps) {
  const { store } = useSession()
  const channel = useChannel()
  const selected = useSelection(channel.id)
  const [command, setCommand] = useState<{ command: AvailableCommand; rest: string } | null>(null)
  if (selected !== null) return <SelectionBar ids={selected} focusAfter={props.input} />
  if (command === null)
    return (
      <ComposerForm
        {...props}
        onCommand={(picked, rest) => {
          store.dispatch('draft_changed', { channel_id: channel.id, content: '' })
          setCommand({ command: picked, rest })
        }}
      />
    )
  return (
    <Suspense>
      <CommandForm
        channel={channel}
        command={command.command}
        rest={command.rest}
        onClose={() => {
          setCommand(null)
          requestAnimationFrame(() => props.input.current?.focus())
        }}
      />
    </Suspense>
  )
}
