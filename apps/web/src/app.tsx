import { Tooltip } from '@base-ui/react/tooltip'
import type { CurrentUser } from '@foyer/protocol/users'
import { Suspense, useEffect, useState } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { AuthPage } from './auth/auth-page.tsx'
import { ConfirmPage } from './auth/confirm-page.tsx'
import { ForgotPasswordPage } from './auth/forgot-password-page.tsx'
import { ResetPasswordPage } from './auth/reset-password-page.tsx'
import { InvitePage } from './invites/invite-page.tsx'
import { SessionContext, useAppState } from './session/context.ts'
import { lastSpaceId } from './session/place.ts'
import { startSession } from './session/start.ts'
import type { TokenStorage } from './session/tokens.ts'
import { ConnectionBanner } from './shell/connection-banner.tsx'
import { ConversationRoute } from './shell/conversation-route.tsx'
import { Keyboard } from './shell/keyboard.tsx'
import { Shell } from './shell/shell.tsx'
import { RoomRoute, SpaceRoute } from './shell/space-route.tsx'
import { HomePage } from './spaces/home-page.tsx'
import { sortedSpaces } from './store/selectors.ts'
import { lazyComponent } from './ui/lazy.tsx'
import { Wordmark } from './ui/wordmark.tsx'

const FriendsPage = lazyComponent(() =>
  import('./friends/friends-page.tsx').then((module) => module.FriendsPage),
)

const AddBotPage = lazyComponent(() =>
  import('./applications/add-bot-page.tsx').then((module) => module.AddBotPage),
)

/** Every page of the client. What mails and invitations link to is open to those who are not signed in. */
export function App({ storage }: { storage: TokenStorage }) {
  const session = useLivingSession(storage)
  return (
    <SessionContext value={session}>
      <Tooltip.Provider delay={400}>
        <Switch>
          <Route path="/invite/:code">{({ code }) => <InvitePage key={code} code={code} />}</Route>
          <Route path="/verify">
            <ConfirmPage matter="verify" />
          </Route>
          <Route path="/change-email">
            <ConfirmPage matter="change-email" />
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
      </Tooltip.Provider>
    </SessionContext>
  )
}

/** What is only for those who are signed in. */
function Inside() {
  const signedIn = useAppState((state) => state.signedIn)
  const me = useAppState((state) => state.me)
  if (!signedIn) return <AuthPage />
  if (me === null) return <Splash />
  return (
    <>
      <Pages me={me} />
      <Keyboard />
    </>
  )
}

function Pages({ me }: { me: CurrentUser }) {
  return (
    <Switch>
      <Route path="/spaces/:spaceId/rooms/:roomId/:messageId?">
        {({ spaceId, roomId, messageId }) => (
          <RoomRoute me={me} spaceId={spaceId} roomId={roomId} messageId={messageId} />
        )}
      </Route>
      <Route path="/conversations/:conversationId/:messageId?">
        {({ conversationId, messageId }) => (
          <ConversationRoute me={me} conversationId={conversationId} messageId={messageId} />
        )}
      </Route>
      <Route path="/spaces/:spaceId">{({ spaceId }) => <SpaceRoute me={me} spaceId={spaceId} />}</Route>
      <Route path="/home">
        <Shell me={me} spaceId={null} roomId={null}>
          {(openDrawer) => <HomePage openDrawer={openDrawer} />}
        </Shell>
      </Route>
      <Route path="/friends/:tab?">
        {({ tab = '' }) => (
          <Shell me={me} spaceId={null} roomId={null}>
            {(openDrawer) => (
              <Suspense fallback={<section className="page" aria-busy="true" />}>
                <FriendsPage tab={tab} openDrawer={openDrawer} />
              </Suspense>
            )}
          </Shell>
        )}
      </Route>
      <Route path="/add-bot/:botUserId">
        {({ botUserId }) => (
          <Suspense fallback={<Splash />}>
            <AddBotPage key={botUserId} botUserId={botUserId} />
          </Suspense>
        )}
      </Route>
      <Route>
        <Landing />
      </Route>
    </Switch>
  )
}

/** Back to where one was, else to the first space, else home. */
function Landing() {
  const spaces = useAppState((state) => state.spaces)
  const last = spaces[lastSpaceId() ?? ''] ?? sortedSpaces(spaces)[0]
  return <Redirect to={last === undefined ? '/home' : `/spaces/${last.id}`} replace />
}

function Splash() {
  return (
    <>
      <ConnectionBanner />
      <div className="splash">
        <Wordmark size="lg" />
        <p role="status">Opening the door…</p>
      </div>
    </>
  )
}

/** A session, and another one whenever it ended: here, by the server or in another tab. */
function useLivingSession(storage: TokenStorage) {
  const [session, setSession] = useState(begin)

  function begin() {
    return startSession({ storage, baseUrl: window.location.origin, onEnd: () => setSession(begin()) })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: `begin` is made anew with every render
  useEffect(() => {
    const stop = storage.onChange((tokens) => {
      const isOver = tokens === null
      const isNews = !session.store.get().signedIn
      if (isOver || isNews) setSession(begin())
    })
    const wake = () => session.client.gateway.reconnectNow()
    window.addEventListener('online', wake)
    // Whether the connection still lives is found out now, not with the next heartbeat.
    window.addEventListener('offline', wake)
    document.addEventListener('visibilitychange', wake)
    return () => {
      stop()
      window.removeEventListener('online', wake)
      window.removeEventListener('offline', wake)
      document.removeEventListener('visibilitychange', wake)
    }
  }, [storage, session])

  useEffect(() => () => session.close(), [session])
  return session
}
