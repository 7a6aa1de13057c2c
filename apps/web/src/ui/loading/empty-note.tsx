import type { ReactNode } from 'react'
import './empty-note.css'

interface EmptyNoteProps {
  icon: ReactNode
  title: string
  children: ReactNode
  /** Button that adds the first item. */
  action?: ReactNode
}

/** Empty state of a list: explains what will appear and how to add it. */
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
