import { type ComponentType, lazy, type ReactNode } from 'react'
import { t } from '#src/language/texts.ts'
import { BrokenPart } from './broken-part.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { reloadIfOutdated } from './outdated.ts'

/**
 * A component that loads when it is first rendered. If loading fails because the server was updated and its chunks have
 * new names, the page reloads. If loading or rendering fails otherwise, only this part shows an error.
 * @param Missing shown with the same props when loading failed
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Missing: (props: Props) => ReactNode = NotLoaded,
) {
  return lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    const component = await load().catch(whereMissing)
    return { default: component === null ? Missing : guarded(component) }
  })
}

async function whereMissing(): Promise<null> {
  const isReloading = await reloadIfOutdated().catch(() => false)
  // Suspends until the page reloads.
  return isReloading ? new Promise(() => undefined) : null
}

function guarded<Props extends object>(Part: ComponentType<Props>): ComponentType<Props> {
  return (props) => (
    <ErrorBoundary
      fallback={(retry) => (
        <BrokenPart title={t('Something went wrong here')} retry={retry}>
          {t('Everything else still works, and your draft is saved.')}
        </BrokenPart>
      )}
    >
      <Part {...props} />
    </ErrorBoundary>
  )
}

function NotLoaded() {
  return (
    <BrokenPart title={t('Couldn’t load this section')}>
      {t('The server may have been updated, or you may be offline.')}
    </BrokenPart>
  )
}
