import { DirectionProvider } from '@base-ui/react/direction-provider'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Route, Switch } from 'wouter'
import { SessionContext, useAppState } from './session/context.ts'
import { startSession } from './session/start.ts'
import { loginOf, type TokenStorage } from './session/tokens.ts'
import { Splash } from './shell/splash.tsx'
import { isRightToLeft } from './ui/direction.ts'
import { lazyComponent } from './ui/lazy.tsx'

const Pages = lazyComponent(() => import('./shell/pages.tsx').then((module) => module.Pages))
const AuthPage = lazyComponent(() => import('./auth/auth-page.tsx').then((module) => module.AuthPage))
const InvitePage = lazyComponent(() =>
  import('./invites/invite-page.tsx').then((module) => module.InvitePage),
)
const ConfirmPage = lazyComponent(() =>
  import('./auth/confirm-page.tsx').then((module) => module.ConfirmPage),
)
const ForgotPasswordPage = lazyComponent(() =>
  import('./auth/forgot-password-page.tsx').then((module) => module.ForgotPasswordPage),
)
const ResetPasswordPage = lazyComponent(() =>
  import('./auth/reset-password-page.tsx').then((module) => module.ResetPasswordPage),
)

/** Every page of the client. What mails and invitations link to is open to those who are not signed in. */
export function App({ storage }: { storage: TokenStorage }) {
  const session = useLivingSession(storage)
  return (
    <SessionContext value={session}>
      <DirectionProvider direction={isRightToLeft() ? 'rtl' : 'ltr'}>
        <Suspense fallback={<Splash />}>
          <Switch>
            <Route path="/invite/:code">{({ code }) => <InvitePage key={code} code={code} />}</Route>
            <Route path="/verify">
              <ConfirmPage purpose="verify" />
            </Route>
            <Route path="/change-email">
              <ConfirmPage purpose="change-email" />
            </Route>
            <Route path="/reset-password">
              <ResetPasswordPage />
            </Route>
            <Route path="/forgot-password">
              <ForgotPasswordPage />
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

/** What is only for those who are signed in. */
function Inside() {
  const signedIn = useAppState((state) => state.signedIn)
  const me = useAppState((state) => state.me)
  if (!signedIn) return <AuthPage />
  if (me === null) return <Splash />
  return <Pages me={me} />
}

/** A session, and another one whenever the browser keeps the tokens of another login, or none: by this tab or another. */
function useLivingSession(storage: TokenStorage) {
  const [session, setSession] = useState(begin)
  const living = useRef(session)

  function begin() {
    return startSession({ storage, baseUrl: window.location.origin, onLogin: follow })
  }

  /** Also for the word of a session that is over: whoever signs in last, in whichever tab, is who is signed in. */
  function follow() {
    if (loginOf(storage.load()) === living.current.login.id) return
    living.current.close()
    living.current = begin()
    setSession(living.current)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: `follow` does the same with every render
  useEffect(() => {
    const stop = storage.onChange(follow)
    return () => {
      stop()
      living.current.close()
    }
  }, [storage])

  useEffect(() => {
    const wake = () => session.client.gateway.reconnectNow()
    window.addEventListener('online', wake)
    // Whether the connection still lives is found out now, not with the next heartbeat.
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
