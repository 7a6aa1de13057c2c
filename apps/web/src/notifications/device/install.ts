import { useSyncExternalStore } from 'react'

/** The event `beforeinstallprompt`, which TypeScript has no type for. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>
}

let offer: InstallOffer | null = null
const listeners = new Set<() => void>()

/** Keeps the browser's offer to install the app. It arrives only once, while the page loads. */
export function awaitInstallOffer(window: Window): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    if (!isOffer(event)) return
    event.preventDefault()
    keep(event)
  })
  window.addEventListener('appinstalled', () => keep(null))
}

/** Returns a function that installs the app, or null if the browser offers no installation. */
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
    // The prompt works only once.
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
