import type { ComponentProps, MouseEvent } from 'react'
import { navigate } from 'wouter/use-browser-location'

type PageLinkProps = ComponentProps<'a'> & { href: string }

/**
 * A link to a page of the client. The router's own hears of every change of the address, so that going anywhere costs each
 * link that is there: a list of rooms has 500.
 */
export function PageLink({ href, onClick, ...props }: PageLinkProps) {
  function go(event: MouseEvent<HTMLAnchorElement>) {
    const { button, ctrlKey, metaKey, altKey, shiftKey } = event
    // To the browser these mean another tab or window.
    if (button !== 0 || ctrlKey || metaKey || altKey || shiftKey) return
    onClick?.(event)
    if (event.defaultPrevented) return
    event.preventDefault()
    // Where one is already is no other place to come back to.
    navigate(href, { replace: href === window.location.pathname })
  }

  return <a {...props} href={href} onClick={go} />
}
