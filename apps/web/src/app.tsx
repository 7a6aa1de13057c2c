import { DirectionProvider } from '@base-ui/react/direction-provider'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Route, Switch } from 'wouter'
import { SessionContext, useAppState } from './session/context.ts'
import { startSession } from './session/start.ts'
import { loginOf, type TokenStorage } from './session/tokens.ts'
import { Splash } from './shell/splash.tsx'
import { isRightToLeft } from './ui/direction.ts'
import { lazyComponent } from './ui/loading/lazy.tsx'

const Pages = lazyComponent(() => import('./shell/pages.tsx').then((module) => module.Pages))
const AuthPage = lazyComponent(() => import('./auth/auth-page.tsx').then((module) => module.AuthPage))
const InvitePage = lazyComponent(() =>
  import('./spaces/invites/invite-page.tsx').then((module) => module.InvitePage),
)
const OutsidePages = lazyComponent(() =>
  import('./account/outside-pages.tsx').then((module) => module.OutsidePages),
)
/**
 * Paths of the pages that work without signing in, besides invites. The pages share one lazy chunk, because the name of each
 * further chunk would make the first chunk larger.
 */
const OUTSIDE =
  /^\/(?:claim|verify|change-email|reset-password|forgot-password|way-back|sign-in|second-factor)\/?$/i

/** The routes of the client. Pages linked from mails and invites work without signing in. */
export function App({ storage }: { storage: TokenStorage }) {
  const session = useCurrentSession(storage)
  return (
    <SessionContext value={session}>
      <DirectionProvider direction={isRightToLeft() ? 'rtl' : 'ltr'}>
        <Suspense fallback={<Splash />}>
          <Switch>
            <Route path="/invite/:code">{({ code }) => <InvitePage key={code} code={code} />}</Route>
            <Route path={OUTSIDE}>
              <OutsidePages />
            </Route>
            <Route>
              <Inside />
            </Route>
          </Switch>
        </Suspense>
      </DirectionProvider>
    </SessionContext>
  )
}

/** Pages for signed-in users. Other users get the sign-in page. */
function Inside() {
  const signedIn = useAppState((state) => state.signedIn)
  const me = useAppState((state) => state.me)
  if (!signedIn) return <AuthPage />
  if (me === null) return <Splash />
  return <Pages me={me} />
}

/** Holds a session, and replaces it when this or another tab stores the tokens of another login, or removes them. */
function useCurrentSession(storage: TokenStorage) {
  const [session, setSession] = useState(begin)
  const active = useRef(session)

  function begin() {
    return startSession({ storage, baseUrl: window.location.origin, onLogin: follow })
  }

  /** Follows the stored login, so that the last sign-in of any tab wins. Calls from closed sessions are safe. */
  function follow() {
    if (loginOf(storage.load()) === active.current.login.id) return
    active.current.close()
    active.current = begin()
    setSession(active.current)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: every render's `follow` does the same
  useEffect(() => {
    const stop = storage.onChange(follow)
    return () => {
      stop()
      active.current.close()
    }
  }, [storage])

  useEffect(() => {
    const wake = () => session.client.gateway.reconnectNow()
    window.addEventListener('online', wake)
    // Checks the connection now instead of at the next heartbeat.
    window.addEventListener('offline', wake)
    document.addEventListener('visibilitychange', wake)
    return () => {
      window.removeEventListener('online', wake)
      window.removeEventListener('offline', wake)
      document.removeEventListener('visibilitychange', wake)
    }
  }, [session])
  return session
}
