import type { CurrentUser } from '@foyer/protocol/users'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { t } from '#src/language/texts.ts'
import { DialogOutlet } from '#src/ui/dialogs/dialog-outlet.tsx'
import { Drawer } from '#src/ui/dialogs/drawer.tsx'
import { useMediaQuery, WIDE } from '#src/ui/use-media-query.ts'
import { useUnreadSigns } from '#src/unread/use-unread-signs.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import './shell.css'
import { Sidebar } from './sidebar.tsx'
import { VoiceBar } from './voice-parts.tsx'

interface ShellProps {
  me: CurrentUser
  spaceId: string | null
  roomId: string | null
  /** Renders the main area. Receives a function that opens the drawer, if there is one. */
  children: (openDrawer: (() => void) | null) => ReactNode
}

/** The sidebar, in a drawer on narrow windows, and the page next to it. */
export function Shell({ me, spaceId, roomId, children }: ShellProps) {
  const isWide = useMediaQuery(WIDE)
  const [drawerOpen, setDrawerOpen] = useState(false)
  const [location] = useLocation()
  useUnreadSigns()
  const sidebar = <Sidebar me={me} spaceId={spaceId} roomId={roomId} />

  const closeDrawer = useCallback(() => setDrawerOpen(false), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating must close the drawer
  useEffect(closeDrawer, [location, closeDrawer])

  // Navigation to the current page must close the drawer, too. For it, the router only emits this event.
  useEffect(() => {
    window.addEventListener('replaceState', closeDrawer)
    return () => window.removeEventListener('replaceState', closeDrawer)
  }, [closeDrawer])

  return (
    <DialogOutlet spaceId={spaceId} onOpen={closeDrawer}>
      <div className="shell">
        <a className="skip-link" href="#main">
          {t('Skip to content')}
        </a>
        <ConnectionBanner />
        {!isWide && <VoiceBar />}
        <div className="shell-columns">
          {isWide ? (
            sidebar
          ) : (
            <Drawer open={drawerOpen} onOpenChange={setDrawerOpen} side="start" label={t('Spaces and rooms')}>
              {sidebar}
            </Drawer>
          )}
          <main id="main" className="shell-main" tabIndex={-1}>
            {children(isWide ? null : () => setDrawerOpen(true))}
          </main>
        </div>
      </div>
    </DialogOutlet>
  )
}
