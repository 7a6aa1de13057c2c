import { type ComponentType, Suspense, useState } from 'react'
import { contentShown } from './content-shown.ts'
import { lazyComponent } from './lazy.tsx'

const loads: (() => Promise<unknown>)[] = []

/** A popup that loads when it is first opened, or earlier while the page is idle. */
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

/** A secondary part, such as a tooltip. If its code cannot be loaded, it shows nothing, and the next mount tries again. */
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
    return lazyComponent(() => unlessCutOff(load).catch(beginAgain), Nothing)
  }

  function beginAgain(error: unknown): never {
    newest = begin()
    throw error
  }
}

/** Like `lazyAside`, for parts that usually show nothing: their code loads after the content of the page. */
export function lazyNote<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return lazyAside(() => contentShown().then(() => unlessCutOff(load)))
}

async function unlessCutOff<T>(load: () => Promise<T>): Promise<T> {
  if (isCutOff()) throw new Error('there is no network')
  return load()
}

function Nothing() {
  return null
}

/** Registers code that shows nothing by itself. It loads on first use, or together with the popups. */
export function fetchedSoon<T>(load: () => Promise<T>): () => Promise<T> {
  loads.push(load)
  return load
}

/** The browser's performance timeline has a mark of this name once all popups are loaded. */
const POPUPS_LOADED = 'popups loaded'

/**
 * Preloads all popups one after another, before the user opens one. If the connection is lost, at most one import
 * fails.
 * @param signal ends the preloading
 */
export async function fetchPopups(signal: AbortSignal): Promise<void> {
  for (const load of loads) {
    if (signal.aborted || isCutOff()) return
    await load().catch(() => undefined)
  }
  performance.mark(POPUPS_LOADED)
}

/**
 * True if an import would fail: offline, without a service worker. Imports are then not attempted, because Chromium
 * remembers a failed import until the page is reloaded.
 */
function isCutOff(): boolean {
  return !navigator.onLine && !navigator.serviceWorker?.controller
}

/** True once the popup has been opened, so that it stays mounted for its closing animation. */
export function useWanted(open: boolean): boolean {
  const [isWanted, setWanted] = useState(open)
  if (open && !isWanted) setWanted(true)
  return isWanted
}
