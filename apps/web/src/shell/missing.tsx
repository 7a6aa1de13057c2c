import { Menu } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'

/** Time to wait for the gateway: right after joining, the page opens before the event arrives. */
const PATIENCE_MS = 2500

interface MissingProps {
  openDrawer: (() => void) | null
  /** True if the room, space or conversation may still arrive by the gateway. */
  mayArrive?: boolean
  children: ReactNode
}

/** The page for a room, space or conversation that was deleted or that the user cannot open. */
export function Missing({ openDrawer, mayArrive = true, children }: MissingProps) {
  const patient = usePatience(mayArrive)
  return (
    <section className="page">
      {openDrawer !== null && (
        <header className="page-header">
          <IconButton label={t('Open spaces and rooms')} icon={<Menu />} onClick={openDrawer} />
        </header>
      )}
      <div className="pane-note" role="status">
        {patient ? (
          <p>{t('Opening…')}</p>
        ) : (
          <>
            <h1>{children}</h1>
            <p>
              <Link href="/home">{t('Go home')}</Link>
            </p>
          </>
        )}
      </div>
    </section>
  )
}

/** Returns true until `PATIENCE_MS` have passed, if something may still arrive by the gateway. */
export function usePatience(mayArrive: boolean): boolean {
  const [patient, setPatient] = useState(mayArrive)
  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return patient
}
