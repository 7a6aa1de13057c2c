/** Returns true on an iPhone or iPad if the app runs in the browser. Users have to install it by hand there. */
export function canAddToHomeScreen(): boolean {
  const isHandheld = /iPhone|iPad|iPod/.test(navigator.userAgent)
  // iPads claim to be Macs.
  const isTablet = /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1
  return (isHandheld || isTablet) && !window.matchMedia('(display-mode: standalone)').matches
}

/** The browser's permission for notifications, or why it has none. */
export type Permission = 'default' | 'granted' | 'denied' | 'insecure' | 'unsupported'

export function permissionNow(): Permission {
  if (!window.isSecureContext) return 'insecure'
  return 'Notification' in window ? Notification.permission : 'unsupported'
}
