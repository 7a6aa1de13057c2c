import {
  type ComponentProps,
  cloneElement,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
} from 'react'
import './icon-button.css'
import { lazyAside } from '../loading/lazy-popup.tsx'
import type { Side } from '../popups/place-beside.ts'
import { useHint } from '../popups/use-hint.ts'
import { type PendingProps, whilePending } from './while-pending.ts'

const HintBox = lazyAside(() => import('../popups/hint-box.tsx').then((module) => module.HintBox))

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> &
  PendingProps & { label: string; icon: ReactNode }

/** An icon button that shows its label on hover and focus. */
export function IconButton({ label, icon, className = '', pending, onClick, ...props }: IconButtonProps) {
  return (
    <Hint label={label}>
      <button
        type="button"
        {...props}
        aria-label={label}
        className={`icon-button ${className}`}
        {...whilePending(pending, onClick)}
      >
        {icon}
      </button>
    </Hint>
  )
}

type Handlers = Pick<
  HTMLAttributes<Element>,
  'onPointerEnter' | 'onPointerLeave' | 'onPointerDown' | 'onFocus' | 'onBlur'
>

interface HintProps {
  /** Decorative: the control has the same name for assistive technology. */
  label: ReactNode
  side?: Side
  className?: string
  children: ReactElement<Handlers>
}

/** Shows a tooltip next to a control. */
export function Hint({ label, side = 'top', className = '', children }: HintProps) {
  const { anchor, control, onOver } = useHint()
  const own = children.props
  return (
    <>
      {cloneElement(children, {
        onPointerEnter: both(own.onPointerEnter, control.onPointerEnter),
        onPointerLeave: both(own.onPointerLeave, control.onPointerLeave),
        onPointerDown: both(own.onPointerDown, control.onPointerDown),
        onFocus: both(own.onFocus, control.onFocus),
        onBlur: both(own.onBlur, control.onBlur),
      })}
      {anchor !== null && (
        <HintBox anchor={anchor} side={side} className={className} onOver={onOver}>
          {label}
        </HintBox>
      )}
    </>
  )
}

function both<E>(own: ((event: E) => void) | undefined, added: (event: E) => void) {
  return (event: E) => {
    own?.(event)
    added(event)
  }
}
