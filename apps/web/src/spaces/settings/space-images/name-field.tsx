import type { SpaceImage } from '@foyer/protocol/space-images'
import { useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { useUnsavedChanges } from '#src/ui/dialogs/unsaved-changes.ts'
import { useAction } from '#src/ui/fields/use-action.ts'
import type { ImageKind } from './image-kind.ts'
import { isImageName } from './image-names.ts'

interface NameFieldProps {
  kind: ImageKind
  image: SpaceImage
}

const words = { name_taken: t('That name is already taken.') }

/** An inline field for the name: Enter or blur saves, Escape resets. */
export function NameField({ kind, image }: NameFieldProps) {
  const session = useSession()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const { run, pending, error } = useAction(words)
  const name = typed ?? image.name
  const isChanged = name !== image.name
  const isWrong = !isImageName(name)
  useUnsavedChanges(isChanged)

  function save() {
    if (!isChanged) return setTyped(null)
    if (isWrong) return
    run(async () => {
      await kind.rename(session, image, name)
      setTyped(null)
    })
  }

  return (
    <span className="image-name">
      <input
        ref={input}
        className="image-name-input"
        aria-label={t('Name of {name}', { name: image.name })}
        aria-invalid={isWrong || error !== null || undefined}
        aria-busy={pending || undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={32}
        value={name}
        onChange={(event) => setTyped(event.target.value.replaceAll(/[\s-]/g, '_'))}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save()
          if (event.key !== 'Escape' || !isChanged) return
          // Keeps the settings dialog open.
          event.stopPropagation()
          setTyped(null)
        }}
      />
      {isChanged && isWrong && (
        <span role="alert" className="field-error">
          {t('Use 2–32 letters, numbers or underscores.')}
        </span>
      )}
      {isChanged && error !== null && (
        <span role="alert" className="field-error">
          {error}
        </span>
      )}
    </span>
  )
}
