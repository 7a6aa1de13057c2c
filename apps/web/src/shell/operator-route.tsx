import type { CurrentUser } from '@foyer/protocol/users'
import { Suspense, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { isOperator } from '#src/store/users.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { EmptyPage } from './empty-page.tsx'
import { Missing } from './missing.tsx'
import { Shell } from './shell.tsx'

const OperatorConsole = lazyComponent(() =>
  import('#src/operators/operator-console.tsx').then((module) => module.OperatorConsole),
)

interface OperatorRouteProps {
  me: CurrentUser
  sectionId: string | undefined
}

/** Route of `/operator`, for operators. The server checks that again with each request. */
export function OperatorRoute({ me, sectionId }: OperatorRouteProps) {
  const mayOpen = isOperator(me)
  const wasOpen = useRef(false)
  wasOpen.current ||= mayOpen
  return (
    <Shell me={me} spaceId={null} roomId={null}>
      {(openDrawer) =>
        mayOpen ? (
          <Suspense fallback={<EmptyPage />}>
            <OperatorConsole sectionId={sectionId} />
          </Suspense>
        ) : (
          <Missing openDrawer={openDrawer} mayArrive={false}>
            {wasOpen.current
              ? t('You’re no longer an administrator of this server.')
              : t('Only administrators of this server can open this page.')}
          </Missing>
        )
      }
    </Shell>
  )
}
