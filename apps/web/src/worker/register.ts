import { navigate } from 'wouter/use-browser-location'
import { pushWords } from '#src/notifications/push-words.ts'
import { tellOfNewBuild } from './new-build.ts'
import { cacheName } from './shell.ts'

/** Of a page that stays open for days. What was deployed is also noticed when the page is loaded. */
const LOOK_EVERY_MS = 3_600_000

/** Has the service worker installed, and does as it says. Where the page came without TLS browsers have none. */
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

/** As long as this page lives, the worker keeps the files of its build. */
function holdBuild(entry: string): void {
  const forEver = () => new Promise<never>(() => undefined)
  navigator.locks.request(cacheName({ entry }), { mode: 'shared' }, forEver).catch(() => undefined)
}

function obey(data: unknown, build: string): void {
  if (typeof data !== 'object' || data === null || !('kind' in data)) return
  if (data.kind === 'build' && 'entry' in data && data.entry !== build) tellOfNewBuild()
  if (data.kind === 'open' && 'url' in data && typeof data.url === 'string') navigate(data.url)
}

/** Out of reach, the server has no news. */
function lookForUpdates(): void {
  const update = async () => (await navigator.serviceWorker.getRegistration())?.update()
  const look = () => void update().catch(() => undefined)
  setInterval(look, LOOK_EVERY_MS)
  window.addEventListener('online', look)
}
