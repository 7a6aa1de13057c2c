import { ArrowLeft } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { ColorDot } from '#src/roles/colored-name.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { useAttempt } from '#src/ui/dialogs/unsaved-changes.ts'
import { useFocusedHeading } from '#src/ui/focus/use-focused-heading.ts'

interface RoleHeaderProps {
  title: string
  colors: readonly string[]
  onBack: () => void
}

/** The header of a role's page. Its heading has the focus unless the form does. */
export function RoleHeader({ title, colors, onBack }: RoleHeaderProps) {
  const attempt = useAttempt()
  const heading = useFocusedHeading()
  return (
    <header className="role-header">
      <IconButton label={t('Back to roles')} icon={<ArrowLeft />} onClick={() => attempt(onBack)} />
      <ColorDot colors={colors} />
      <h4 ref={heading} tabIndex={-1}>
        {title}
      </h4>
    </header>
  )
}
