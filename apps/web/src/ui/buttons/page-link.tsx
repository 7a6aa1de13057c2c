import type { ComponentProps, MouseEvent } from 'react'
import { navigate } from 'wouter/use-browser-location'

type PageLinkProps = ComponentProps<'a'> & { href: string }

/**
 * A link within the client. Unlike the router's, it does not subscribe to the address, so navigating does not render all
 * links again: a room list may have 500.
 */
export function PageLink({ href, onClick, ...props }: PageLinkProps) {
  function go(event: MouseEvent<HTMLAnchorElement>) {
    const { button, ctrlKey, metaKey, altKey, shiftKey } = event
    // With these modifiers, the browser opens another tab or window.
    if (button !== 0 || ctrlKey || metaKey || altKey || shiftKey) return
    onClick?.(event)
    if (event.defaultPrevented) return
    event.preventDefault()
    // Following a link to the current page adds no history entry.
    navigate(href, { replace: href === window.location.pathname })
  }

  return <a {...props} href={href} onClick={go} />
}
