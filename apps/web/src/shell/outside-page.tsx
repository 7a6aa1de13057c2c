import { Menu } from 'lucide-react'
import { Link } from 'wouter'
import { t } from '#src/language/texts.ts'
import { useWait } from '#src/spaces/door/use-wait.ts'
import { WaitingPage } from '#src/spaces/door/waiting-page.tsx'
import { AppealForm } from '#src/spaces/invites/appeals/appeal-form.tsx'
import { banOf, useKeptBan } from '#src/spaces/invites/appeals/ban-of.ts'
import { useOwnAppeal } from '#src/spaces/invites/appeals/use-own-appeal.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { EmptyPage } from './empty-page.tsx'
import { Missing, usePatience } from './missing.tsx'
import './outside-page.css'

interface OutsidePageProps {
  spaceId: string
  /** Name of the space, if the user was a member when the page was opened. */
  name?: string | undefined
  openDrawer: (() => void) | null
}

/** The page of a space that the user is not a member of. They may be waiting at its door, or be banned and able to appeal. */
export function OutsidePage({ spaceId, name, openDrawer }: OutsidePageProps) {
  // Right after joining, the space is about to arrive.
  const patient = usePatience(name === undefined)
  const wait = useWait(spaceId)
  if (wait !== null) return <WaitingPage wait={wait} openDrawer={openDrawer} />
  return patient ? (
    <Missing openDrawer={openDrawer}>{null}</Missing>
  ) : (
    <Outside spaceId={spaceId} name={name} openDrawer={openDrawer} />
  )
}

function Outside({ spaceId, name, openDrawer }: OutsidePageProps) {
  const own = useOwnAppeal(spaceId)
  const ban = banOf(own.status)
  useKeptBan(spaceId, ban)
  if (own.status.state === 'loading') return <EmptyPage />
  if (ban === 'free' || ban === 'unknown')
    return (
      <Missing openDrawer={openDrawer} mayArrive={false}>
        {t('This space doesn’t exist or you’re no longer a member.')}
      </Missing>
    )
  return (
    <section className="page">
      {openDrawer !== null && (
        <header className="page-header">
          <IconButton label={t('Open spaces and rooms')} icon={<Menu />} onClick={openDrawer} />
        </header>
      )}
      <div className="outside">
        <div className="outside-card">
          <h1>{titleOf(ban === 'banned', name)}</h1>
          <AppealForm name={name ?? t('this space')} own={own} />
          {ban === 'lifted' && <p>{t('Open an invite link to join.')}</p>}
          <Link href="/home">{t('Go home')}</Link>
        </div>
      </div>
    </section>
  )
}

function titleOf(isBanned: boolean, name: string | undefined): string {
  if (isBanned)
    return name === undefined
      ? t('You were banned from this space')
      : t('You were banned from {name}', { name })
  return name ?? t('Welcome back')
}
