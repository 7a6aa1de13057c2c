import type { ComponentProps } from 'react'
import './button.css'
import { type PendingProps, whilePending } from './while-pending.ts'

type ButtonProps = ComponentProps<'button'> &
  PendingProps & { look?: 'primary' | 'quiet' | 'danger' | 'text' }

export function Button({ look = 'quiet', pending, className = '', onClick, ...props }: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      className={`button button-${look} ${className}`}
      {...whilePending(pending, onClick)}
    />
  )
}
