/** Whether it is an iPhone or iPad whose browser shows the app as a page: there one installs it by hand. */
export function canAddToHomeScreen(): boolean {
  const isHandheld = /iPhone|iPad|iPod/.test(navigator.userAgent)
  // iPads say that they are Macs.
  const isTablet = /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1
  return (isHandheld || isTablet) && !window.matchMedia('(display-mode: standalone)').matches
}

/** How this browser stands to notifications. */
export type Permission = 'default' | 'granted' | 'denied' | 'insecure' | 'unsupported'

export function permissionNow(): Permission {
  if (!window.isSecureContext) return 'insecure'
  return 'Notification' in window ? Notification.permission : 'unsupported'
}
