import type { AvailableCommand } from '@foyer/protocol/commands'
import { type ClipboardEvent, type RefObject, Suspense, useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { slashQuery } from '#src/commands/slash-query.ts'
import { t } from '#src/language/texts.ts'
import { useCompletion } from '#src/mentions/use-completion.ts'
import { GrowingTextarea } from '#src/ui/fields/growing-textarea.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { NARROW, useMediaQuery } from '#src/ui/use-media-query.ts'
import { composerKeys } from './composer-keys.ts'
import type { ComposerState } from './use-composer.ts'

const SlashPicker = lazyComponent(() =>
  import('#src/commands/slash-picker.tsx').then((module) => module.SlashPicker),
)
const loadCompletions = () => import('#src/mentions/completions.tsx').then((module) => module.Completions)
const Completions = lazyComponent(loadCompletions)

interface ComposerInputProps {
  composer: Pick<ComposerState, 'draft' | 'left' | 'held' | 'name' | 'write' | 'change' | 'send'>
  input: RefObject<HTMLTextAreaElement | null>
  counterId: string | undefined
  /** Accessible name of the field. */
  label: string
  onPaste: (event: ClipboardEvent) => void
  onEditLast: () => void
  /** Omitted where commands are not available. */
  onCommand: ((command: AvailableCommand, rest: string) => void) | undefined
}

/** The text field with the suggestions above it. */
export function ComposerInput(props: ComposerInputProps) {
  const { composer, input, counterId, label, onPaste, onEditLast, onCommand } = props
  const channel = useChannel()
  const { content, named } = composer.draft
  const [closedAt, setClosedAt] = useState<string | null>(null)
  const completion = useCompletion(input, { content, named, name: composer.name })
  const slash = onCommand === undefined ? null : slashQuery(content)
  const isNarrow = useMediaQuery(NARROW)
  const onKeyDown = composerKeys({
    content,
    hasReply: composer.draft.reply !== null,
    send: (silently) => (silently ? composer.send(true) : composer.send()),
    dropReply: () => composer.change({ reply: null }),
    editLast: onEditLast,
  })
  return (
    <>
      <div className="composer-popover">
        <Suspense>
          {slash !== null && onCommand !== undefined && closedAt !== content && (
            <SlashPicker
              channel={channel}
              query={slash}
              input={input}
              isHeld={composer.held !== null}
              onPick={onCommand}
              onClose={() => setClosedAt(content)}
            />
          )}
          {slash === null && completion.query !== null && (
            <Completions
              query={completion.query}
              input={input}
              onPick={completion.pick}
              onSpelled={completion.recognize}
              onClose={completion.close}
            />
          )}
        </Suspense>
      </div>
      <GrowingTextarea
        ref={input}
        className="composer-input"
        aria-label={label}
        placeholder={isNarrow ? t('Message') : label}
        aria-invalid={composer.left < 0 || undefined}
        aria-describedby={counterId}
        value={content}
        onChange={(event) => {
          composer.write(event.target.value)
          // Fast typists finish a name before the suggestions are loaded, so check again then.
          loadCompletions().catch(() => undefined)
          completion.look()
        }}
        onSelect={completion.look}
        onBlur={completion.close}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
    </>
  )
}
