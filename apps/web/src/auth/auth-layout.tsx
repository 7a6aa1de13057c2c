import type { ReactNode } from 'react'
import { Wordmark } from '#src/ui/wordmark.tsx'
import './auth.css'

interface AuthLayoutProps {
  title: string
  lead?: ReactNode
  /** What stands above the title, in the place of the wordmark alone. */
  top?: ReactNode
  /** What it is about is not known yet: then nothing but the name is shown. */
  isPending?: boolean
  children?: ReactNode
}

/** The page of everything that happens before one is in: one card, one matter. */
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
