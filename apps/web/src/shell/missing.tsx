import { Menu } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/icon-button.tsx'

/** Who has just joined comes here before the gateway has told of the place. */
const PATIENCE_MS = 2500

interface MissingProps {
  openDrawer: (() => void) | null
  /** Whether it was not there before, and is maybe told of in a moment. */
  mayCome?: boolean
  children: ReactNode
}

/** The page of what is gone, or was never there for the reader. */
export function Missing({ openDrawer, mayCome = true, children }: MissingProps) {
  const [patient, setPatient] = useState(mayCome)
  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
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
