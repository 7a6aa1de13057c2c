import type { CurrentUser } from '@foyer/protocol/users'
import { useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { isOperator } from '#src/store/users.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { Missing } from './missing.tsx'

const OperatorConsole = lazyComponent(() =>
  import('#src/operators/operator-console.tsx').then((module) => module.OperatorConsole),
)

interface OperatorPageProps {
  me: CurrentUser
  sectionId: string | undefined
  openDrawer: (() => void) | null
}

/** The page for operators. The server checks with each request that the user is an operator. */
export function OperatorPage({ me, sectionId, openDrawer }: OperatorPageProps) {
  const mayOpen = isOperator(me)
  const wasOpen = useRef(false)
  wasOpen.current ||= mayOpen
  if (mayOpen) return <OperatorConsole sectionId={sectionId} />
  return (
    <Missing openDrawer={openDrawer} mayArrive={false}>
      {wasOpen.current
        ? t('You’re no longer an administrator of this server.')
        : t('Only administrators of this server can open this page.')}
    </Missing>
  )
}
