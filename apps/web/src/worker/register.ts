import { navigate } from 'wouter/use-browser-location'
import { pushWords } from '#src/notifications/push-words.ts'
import { reportNewBuild } from './new-build.ts'
import { cacheName } from './shell.ts'

/** Interval for pages that stay open for days. Loading a page also checks for updates. */
const LOOK_EVERY_MS = 3_600_000

/** Installs the service worker and handles its messages. Does nothing on pages served without TLS, which cannot have one. */
export async function register(): Promise<void> {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src
  if (!('serviceWorker' in navigator) || entry === undefined) return
  const build = new URL(entry).pathname
  holdBuild(build)
  navigator.serviceWorker.addEventListener('message', ({ data }) => obey(data, build))
  await navigator.serviceWorker.register('/worker.js', { updateViaCache: 'none' })
  lookForUpdates()
  const { active } = await navigator.serviceWorker.ready
  active?.postMessage({ kind: 'words', words: pushWords() })
  active?.postMessage({ kind: 'page' })
}

/** Holds a lock while the page lives, so that the worker keeps the files of its build. */
function holdBuild(entry: string): void {
  const forEver = () => new Promise<never>(() => undefined)
  navigator.locks.request(cacheName({ entry }), { mode: 'shared' }, forEver).catch(() => undefined)
}

function obey(data: unknown, build: string): void {
  if (typeof data !== 'object' || data === null || !('kind' in data)) return
  if (data.kind === 'build' && 'entry' in data && data.entry !== build) reportNewBuild()
  if (data.kind === 'open' && 'url' in data && typeof data.url === 'string') navigate(data.url)
}

/** Checks for updates every hour, and when the browser is online again. Failed checks are ignored. */
function lookForUpdates(): void {
  const update = async () => (await navigator.serviceWorker.getRegistration())?.update()
  const look = () => void update().catch(() => undefined)
  setInterval(look, LOOK_EVERY_MS)
  window.addEventListener('online', look)
}
