import { browserTokens } from '#src/session/tokens.ts'
import { SIGNED_IN_FILES } from './signed-in-files.ts'

/** Preloads the files for signed-in users while the script that imports them is still loading. */
export function fetchEarly(window: Window): void {
  if (!isSignedIn(window)) return
  const { document } = window
  const names = document.querySelector(`meta[name="${SIGNED_IN_FILES}"]`)?.getAttribute('content') ?? ''
  for (const name of names.split(' ').filter(Boolean)) document.head.append(linkTo(document, name))
}

/** Returns true if the browser has stored tokens; false if it blocks its storage. */
function isSignedIn(window: Window): boolean {
  try {
    return browserTokens(window).load() !== null
  } catch {
    return false
  }
}

function linkTo(document: Document, name: string): HTMLLinkElement {
  const link = document.createElement('link')
  const isStyle = name.endsWith('.css')
  link.rel = isStyle ? 'preload' : 'modulepreload'
  if (isStyle) link.as = 'style'
  link.crossOrigin = ''
  link.href = `/${name}`
  return link
}
