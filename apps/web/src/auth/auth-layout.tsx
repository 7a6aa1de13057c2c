import type { ReactNode } from 'react'
import { Wordmark } from '#src/ui/marks/wordmark.tsx'
import './auth.css'

interface AuthLayoutProps {
  title: string
  lead?: ReactNode
  /** Content above the title. */
  top?: ReactNode
  /** Hides the card while its content is not known yet. */
  isPending?: boolean
  children?: ReactNode
}

/** The layout of pages outside the client, such as signing in: a single card. */
export function AuthLayout({ title, lead, top, isPending = false, children }: AuthLayoutProps) {
  return (
    <main className="auth">
      <div className="auth-brand">
        <Wordmark size="lg" />
      </div>
      <div className="auth-card" hidden={isPending}>
        {top}
        <h1 className="auth-title">{title}</h1>
        {lead !== undefined && lead !== null && <p className="auth-lead">{lead}</p>}
        {children}
      </div>
    </main>
  )
}
