import './avatar.css'
import { hueOf, initialsOf } from './hue.ts'

/** Decoration: the name always stands beside it, or labels what it is in. */
export function Avatar({ id, name, size = 'md' }: { id: string; name: string; size?: 'sm' | 'md' | 'lg' }) {
  return (
    <span className={`avatar avatar-${size}`} style={{ '--hue': hueOf(id) }} aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}
