import { type ComponentType, Suspense, useState } from 'react'
import { lazyComponent } from './lazy.tsx'

const loads: (() => Promise<unknown>)[] = []

/** What opens over the page or beside a button: fetched when it is first wanted, or while nothing else is to be done. */
export function lazyPopup<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Popup: ComponentType<Props> = lazyComponent(load)
  loads.push(load)
  return (props) => (
    <Suspense>
      <Popup {...props} />
    </Suspense>
  )
}

/** What comes by itself beside what is pointed at: where it cannot be had nobody is told, and the next time it is tried anew. */
export function lazyAside<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let newest = begin()
  loads.push(load)
  return (props) => {
    const [Aside] = useState(() => newest)
    return (
      <Suspense>
        <Aside {...props} />
      </Suspense>
    )
  }

  function begin(): ComponentType<Props> {
    return lazyComponent(() => fetchAside().catch(beginAnew), Nothing)
  }

  async function fetchAside() {
    if (isCutOff()) throw new Error('there is no network')
    return load()
  }

  function beginAnew(error: unknown): never {
    newest = begin()
    throw error
  }
}

function Nothing() {
  return null
}

/** What keys or buttons need that show nothing by themselves: fetched when one is first pressed, or with the popups. */
export function fetchedSoon<T>(load: () => Promise<T>): () => Promise<T> {
  loads.push(load)
  return load
}

/** Has everything that may open here by the time that somebody opens it. */
export function fetchPopups(): void {
  if (isCutOff()) return
  for (const load of loads) load().catch(() => undefined)
}

/** Chromium does not fetch again until the next load of the page what it once could not: so it is not asked to in vain. */
function isCutOff(): boolean {
  return !navigator.onLine && !navigator.serviceWorker?.controller
}

/** Whether something has been open: it stays, to be seen closing. */
export function useWanted(open: boolean): boolean {
  const [isWanted, setWanted] = useState(open)
  if (open && !isWanted) setWanted(true)
  return isWanted
}
