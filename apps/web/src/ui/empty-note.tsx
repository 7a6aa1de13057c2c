import type { ReactNode } from 'react'
import './empty-note.css'

interface EmptyNoteProps {
  icon: ReactNode
  title: string
  children: ReactNode
}

/** What a list says that has nothing in it: what would be here, and how it gets there. */
export function EmptyNote({ icon, title, children }: EmptyNoteProps) {
  return (
    <div className="empty-note">
      <span className="empty-note-icon" aria-hidden="true">
        {icon}
      </span>
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  )
}
