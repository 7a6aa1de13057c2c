import type { ComponentProps, MouseEvent } from 'react'
import './button.css'

type ButtonProps = ComponentProps<'button'> & {
  look?: 'primary' | 'quiet' | 'danger' | 'text'
  /** The work that the button started is under way: it does nothing, but keeps the focus, which a disabled one would lose. */
  pending?: boolean
}

export function Button({ look = 'quiet', pending = false, className = '', onClick, ...props }: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      className={`button button-${look} ${className}`}
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      onClick={pending ? doNothing : onClick}
    />
  )
}

/** A form is not sent either. */
function doNothing(event: MouseEvent): void {
  event.preventDefault()
}
