import type { CurrentUser } from '@foyer/protocol/users'
import { Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { useNotifier } from '#src/notifications/use-notifier.ts'
import { useAppState } from '#src/session/context.ts'
import { lastSpaceId } from '#src/session/place.ts'
import { sortedWaitingSpaces } from '#src/store/door.ts'
import { orderedSpaces } from '#src/store/selectors.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { lazyNote } from '#src/ui/loading/lazy-popup.tsx'
import { ConversationRoute } from './conversation-route.tsx'
import { EmptyPage } from './empty-page.tsx'
import { Keyboard } from './keyboard.tsx'
import { Shell } from './shell.tsx'
import { RoomRoute, SpaceRoute } from './space-route.tsx'
import { Splash } from './splash.tsx'

const UnseenParts = lazyNote(() => import('./unseen-parts.tsx').then((module) => module.UnseenParts))
const HomePage = lazyComponent(() => import('#src/spaces/home-page.tsx').then((module) => module.HomePage))
const FriendsPage = lazyComponent(() =>
  import('#src/friends/friends-page.tsx').then((module) => module.FriendsPage),
)
const OperatorPage = lazyComponent(() => import('./operator-page.tsx').then((module) => module.OperatorPage))
const AddBotPage = lazyComponent(() =>
  import('#src/applications/add-bot-page.tsx').then((module) => module.AddBotPage),
)

/** All pages for signed-in users, and the parts they share. */
export function Pages({ me }: { me: CurrentUser }) {
  useNotifier()
  return (
    <>
      <Routes me={me} />
      <Keyboard />
      <UnseenParts />
    </>
  )
}

function Routes({ me }: { me: CurrentUser }) {
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
          {(openDrawer) => (
            <Suspense fallback={<EmptyPage />}>
              <HomePage openDrawer={openDrawer} />
            </Suspense>
          )}
        </Shell>
      </Route>
      <Route path="/friends/:tab?">
        {({ tab = '' }) => (
          <Shell me={me} spaceId={null} roomId={null}>
            {(openDrawer) => (
              <Suspense fallback={<EmptyPage />}>
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
      <Route path="/operator/:section?">
        {({ section }) => (
          <Shell me={me} spaceId={null} roomId={null}>
            {(openDrawer) => (
              <Suspense fallback={<EmptyPage />}>
                <OperatorPage me={me} sectionId={section} openDrawer={openDrawer} />
              </Suspense>
            )}
          </Shell>
        )}
      </Route>
      <Route>
        <Landing />
      </Route>
    </Switch>
  )
}

/** Redirects to the last space, else to the first space, else to a space that the user waits to join, else home. */
function Landing() {
  const spaces = useAppState((state) => state.spaces)
  const spaceOrder = useAppState((state) => state.spaceOrder)
  const waiting = useAppState((state) => sortedWaitingSpaces(state.waitingSpaces)[0])
  const last = spaces[lastSpaceId() ?? ''] ?? orderedSpaces({ spaces, spaceOrder })[0] ?? waiting
  return <Redirect to={last === undefined ? '/home' : `/spaces/${last.id}`} replace />
}
