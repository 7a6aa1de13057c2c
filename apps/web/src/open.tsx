import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { refuseStrayDrops } from './attachments/uploads/stray-drops.ts'
import { t } from './language/texts.ts'
import { awaitInstallOffer } from './notifications/device/install.ts'
import { browserTokens } from './session/tokens.ts'
import { BrokenPart } from './ui/loading/broken-part.tsx'
import { ErrorBoundary } from './ui/loading/error-boundary.tsx'

/** Delay before registering the service worker, which must not compete with the first load. */
const WORKER_AFTER_MS = 3_000

export function open(): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('the page has no root element')
  refuseStrayDrops(window)
  awaitInstallOffer(window)
  createRoot(root).render(
    <ErrorBoundary fallback={() => <BrokenPage />}>
      <App storage={browserTokens(window)} />
    </ErrorBoundary>,
  )
  if (import.meta.env.PROD) setTimeout(startWorker, WORKER_AFTER_MS)
}

function BrokenPage() {
  return (
    <BrokenPart title={t('Something went wrong')}>{t('Reload the page – your draft is saved.')}</BrokenPart>
  )
}

/** Failure is ignored: without the service worker, the app still works online. */
function startWorker(): void {
  import('./worker/register.ts').then(({ register }) => register()).catch(() => undefined)
}
