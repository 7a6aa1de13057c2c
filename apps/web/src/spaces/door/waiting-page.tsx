import { DoorClosed, Menu } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Banner } from '#src/images/banner.tsx'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { useNow } from '#src/ui/time/use-now.ts'
import { useTitle } from '#src/unread/use-title.ts'
import type { Wait } from './use-wait.ts'
import './waiting-page.css'

interface WaitingPageProps {
  wait: Wait
  openDrawer: (() => void) | null
}

/** The page of a space whose moderators have not let the user in yet. It becomes the space once they do. */
export function WaitingPage({ wait: { space, isOver }, openDrawer }: WaitingPageProps) {
  useTitle(space.name)
  return (
    <section className="page" aria-label={space.name}>
      {openDrawer !== null && (
        <header className="page-header">
          <IconButton label={t('Open spaces and rooms')} icon={<Menu />} onClick={openDrawer} />
        </header>
      )}
      <div className="waiting">
        <div className="waiting-card">
          <Banner id={space.banner} className="waiting-banner" />
          <Avatar id={space.id} name={space.name} size="lg" picture={space.icon} />
          {isOver ? <Ended name={space.name} /> : <Waiting wait={{ space, isOver }} />}
        </div>
      </div>
    </section>
  )
}

function Waiting({ wait: { space } }: { wait: Wait }) {
  const { client, store } = useSession()
  const [, navigate] = useLocation()
  const { pending, error, run } = useAction()
  useNow(STEP_MS)

  async function stop() {
    await client.door.leaveDoor(space.id)
    navigate('/home')
    store.adopt('WAITING_SPACE_DELETE', { space_id: space.id })
  }

  return (
    <>
      <h1>
        <bdi>{space.name}</bdi>
      </h1>
      {space.description !== null && (
        <p className="waiting-about" dir="auto">
          {space.description}
        </p>
      )}
      <p className="waiting-state" role="status">
        <DoorClosed aria-hidden="true" />
        <span>
          {t(
            'A moderator decides whether you may join. Once you’re let in, the space opens here. You don’t have to keep this page open.',
          )}
        </span>
      </p>
      <p className="waiting-since">
        {t('You asked to join {ago}.', { ago: formatAgo(space.waiting_since) })}
      </p>
      <Button pending={pending} onClick={() => run(stop)}>
        {t('Stop waiting')}
      </Button>
      <ErrorLine message={error} />
    </>
  )
}

/** Refresh interval of the waiting time, which is shown in minutes. */
const STEP_MS = 20_000

/** Maximum time from the end of the wait until the space arrives. After it, the page says that the user was not let in. */
const PATIENCE_MS = 3000

function Ended({ name }: { name: string }) {
  const [isPatient, setIsPatient] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setIsPatient(false), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" className="waiting-end">
      {isPatient ? (
        <p>{t('Opening…')}</p>
      ) : (
        <>
          <h1>{t('You weren’t let into {name}', { name })}</h1>
          <p>{t('Unless you stopped waiting yourself, a moderator turned you away.')}</p>
          <p>
            <Link href="/home">{t('Go home')}</Link>
          </p>
        </>
      )}
    </div>
  )
}
