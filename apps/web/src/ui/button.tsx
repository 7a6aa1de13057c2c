import type { ComponentProps } from 'react'
import './button.css'

type ButtonProps = ComponentProps<'button'> & {
  look?: 'primary' | 'quiet' | 'danger' | 'text'
  /** The work that the button started is under way. */
  pending?: boolean
}

export function Button({ look = 'quiet', pending = false, className = '', ...props }: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      className={`button button-${look} ${className}`}
      aria-busy={pending || undefined}
      disabled={props.disabled || pending}
    />
  )
}
