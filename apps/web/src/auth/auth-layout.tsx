import type { ReactNode } from 'react'
import { useFocusedHeading } from '#src/ui/focus/use-focused-heading.ts'
import { Wordmark } from '#src/ui/marks/wordmark.tsx'
import './auth.css'

interface AuthLayoutProps {
  title: string
  lead?: ReactNode
  /** Content above the title. */
  top?: ReactNode
  /** Hides the card while its content is not known yet. */
  isPending?: boolean
  /** Focuses the title, for a page that replaces the form that had the focus. */
  takesFocus?: boolean
  children?: ReactNode
}

/** The layout of pages outside the client, such as signing in: a single card. */
export function AuthLayout(props: AuthLayoutProps) {
  const { title, lead, top, isPending = false, takesFocus = false, children } = props
  const heading = useFocusedHeading(takesFocus)
  return (
    <main className="auth">
      <div className="auth-brand">
        <Wordmark size="lg" />
      </div>
      <div className="auth-card" hidden={isPending}>
        {top}
        <h1 ref={heading} tabIndex={takesFocus ? -1 : undefined} className="auth-title">
          {title}
        </h1>
        {lead !== undefined && lead !== null && <p className="auth-lead">{lead}</p>}
        {children}
      </div>
    </main>
  )
}
