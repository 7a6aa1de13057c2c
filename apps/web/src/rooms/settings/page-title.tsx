import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '#src/ui/icon-button.tsx'
import { useFocusedHeading } from '#src/ui/use-focused-heading.ts'

interface PageTitleProps {
  /** Of the button that leads back. */
  label: string
  onBack: () => void
  children: ReactNode
}

/** The head of what was chosen from a list that made room for it. */
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
