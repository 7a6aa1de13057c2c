import type { CurrentUser } from '@foyer/protocol/users'
import { type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { OpenSettingsContext } from '#src/account/open-settings.ts'
import { t } from '#src/language/texts.ts'
import { Drawer } from '#src/ui/drawer.tsx'
import { lazyComponent } from '#src/ui/lazy.tsx'
import { useMediaQuery, WIDE } from '#src/ui/use-media-query.ts'
import { useUnreadSigns } from '#src/unread/use-unread-signs.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import './shell.css'
import { Sidebar } from './sidebar.tsx'
import { VoiceBar } from './voice-parts.tsx'

const UserSettings = lazyComponent(() =>
  import('#src/account/user-settings.tsx').then((module) => module.UserSettings),
)

interface ShellProps {
  me: CurrentUser
  spaceId: string | null
  roomId: string | null
  /** What stands in the middle; it is given what opens the drawer, where there is one. */
  children: (openDrawer: (() => void) | null) => ReactNode
}

/** Spaces and rooms at the side, or in a drawer where there is no room for them, and the page beside. */
export function Shell({ me, spaceId, roomId, children }: ShellProps) {
  const isWide = useMediaQuery(WIDE)
  const [drawerOpen, setDrawerOpen] = useState(false)
  const [settings, setSettings] = useState<{ sectionId: string | undefined } | null>(null)
  const [location] = useLocation()
  useUnreadSigns()
  const sidebar = <Sidebar me={me} spaceId={spaceId} roomId={roomId} />

  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever went somewhere wants to see it
  useEffect(() => setDrawerOpen(false), [location])

  // Also to where one was: the router tells so by this event.
  useEffect(() => {
    const close = () => setDrawerOpen(false)
    window.addEventListener('replaceState', close)
    return () => window.removeEventListener('replaceState', close)
  }, [])

  const openSettings = useCallback((sectionId?: string) => {
    setDrawerOpen(false)
    setSettings({ sectionId })
  }, [])

  return (
    <OpenSettingsContext value={openSettings}>
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
        {/* Not in the sidebar, which goes into its drawer when a tablet is turned. */}
        <Suspense>
          {settings !== null && (
            <UserSettings me={me} sectionId={settings.sectionId} onClose={() => setSettings(null)} />
          )}
        </Suspense>
      </div>
    </OpenSettingsContext>
  )
}
