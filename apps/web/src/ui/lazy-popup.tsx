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

/** Has everything that may open here by the time that somebody opens it. */
export function fetchPopups(): void {
  // What fails is fetched again when it is wanted.
  for (const load of loads) load().catch(() => undefined)
}

/** Whether something has been open: it stays, to be seen closing. */
export function useWanted(open: boolean): boolean {
  const [isWanted, setWanted] = useState(open)
  if (open && !isWanted) setWanted(true)
  return isWanted
}
