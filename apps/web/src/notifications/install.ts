import { useSyncExternalStore } from 'react'

/** What browsers hand out that let a page install itself; TypeScript has no name for it. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>
}

let offer: InstallOffer | null = null
const listeners = new Set<() => void>()

/** Keeps the browser's offer for when somebody wants it: it comes once, while the page is loaded. */
export function awaitInstallOffer(window: Window): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    if (!isOffer(event)) return
    event.preventDefault()
    keep(event)
  })
  window.addEventListener('appinstalled', () => keep(null))
}

/** Installs the app where the browser lets one; null elsewhere. */
export function useInstall(): (() => void) | null {
  const kept = useSyncExternalStore(
    (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    () => offer,
  )
  if (kept === null) return null
  return () => {
    // It can be used once.
    keep(null)
    kept.prompt().catch(() => undefined)
  }
}

function keep(next: InstallOffer | null): void {
  offer = next
  for (const listener of listeners) listener()
}

function isOffer(event: Event): event is InstallOffer {
  return 'prompt' in event && typeof event.prompt === 'function'
}
