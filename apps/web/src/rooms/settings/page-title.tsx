import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { useFocusedHeading } from '#src/ui/focus/use-focused-heading.ts'

interface PageTitleProps {
  /** Label of the back button. */
  label: string
  onBack: () => void
  children: ReactNode
}

/** Title and back button of a page that replaced the list it was chosen from. */
export function PageTitle({ label, onBack, children }: PageTitleProps) {
  const heading = useFocusedHeading()
  return (
    <header className="role-header">
      <IconButton label={label} icon={<ArrowLeft />} onClick={onBack} />
      <h4 ref={heading} tabIndex={-1}>
        {children}
      </h4>
    </header>
  )
}
