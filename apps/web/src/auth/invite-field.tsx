import { useEffect, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { TextField } from '#src/ui/fields/field.tsx'

/** A field for the link or code of an invite. An optional field appears on request, so it takes the focus. */
export function InviteField({ isOptional = false }: { isOptional?: boolean }) {
  const input = useRef<HTMLInputElement>(null)

  useEffect(() => {
    if (isOptional) input.current?.focus()
  }, [isOptional])

  return (
    <TextField
      ref={input}
      name="invite"
      label={isOptional ? t('Invite from an administrator') : t('Invite')}
      hint={t('Paste the link or the code that you were sent.')}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  )
}
