import type { ReactNode } from 'react'
import './empty-note.css'

interface EmptyNoteProps {
  icon: ReactNode
  title: string
  children: ReactNode
  /** What one does about it. */
  action?: ReactNode
}

/** What a list says that has nothing in it: what would be here, and how it gets there. */
export function EmptyNote({ icon, title, children, action }: EmptyNoteProps) {
  return (
    <div className="empty-note">
      <span className="empty-note-icon" aria-hidden="true">
        {icon}
      </span>
      <h2>{title}</h2>
      <p>{children}</p>
      {action !== undefined && <div className="empty-note-action">{action}</div>}
    </div>
  )
}
