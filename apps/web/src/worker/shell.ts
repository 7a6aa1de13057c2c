import type { OpenPage, WorkerScope } from './scope.ts'

/** Files of one build of the client, by path. */
export interface Shell {
  /** The entry script of the page. Its name changes with every build. */
  readonly entry: string
  /** Files cached at installation. */
  readonly files: readonly string[]
  /** Files cached on first use. */
  readonly large: readonly string[]
}

const PREFIX = 'foyer-build:'
/** Maximum wait for the server's page. After this time, the cached page is shown. */
const PATIENCE_MS = 4_000

/** Name of the cache. Pages hold a lock of this name while they live. */
export function cacheName({ entry }: Pick<Shell, 'entry'>): string {
  return PREFIX + entry
}

/** Caches the whole build. If that fails, the browser tries again later. */
export async function keepShell({ caches }: WorkerScope, shell: Shell): Promise<void> {
  const page = await fetch('/', { cache: 'no-cache', headers: { accept: 'text/html' } })
  // The server may have been updated since it served this worker. Pages and files of two builds must not mix.
  if (!page.ok || !(await page.clone().text()).includes(shell.entry)) throw new Error('not this build')
  const cache = await caches.open(cacheName(shell))
  await cache.addAll(shell.files.filter((path) => path !== '/'))
  await cache.put('/', page)
}

/** Deletes the caches of earlier builds. Keeps the caches of open pages, which may still load a chunk. */
export async function dropOldShells({ caches, navigator }: WorkerScope, shell: Shell): Promise<void> {
  const { held = [] } = await navigator.locks.query()
  const kept = new Set([cacheName(shell), ...held.map(({ name = '' }) => name)])
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && !kept.has(name))
  await Promise.all(old.map((name) => caches.delete(name)))
}

/** Sends the current build to every page, so that pages of an older build can offer a reload. */
export async function announceBuild({ clients }: WorkerScope, { entry }: Shell): Promise<void> {
  const pages: readonly OpenPage[] = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  for (const page of pages) page.postMessage({ kind: 'build', entry })
}

/**
 * Answers with the server's current page, so that updates apply immediately. Without a connection, answers with the
 * cached page.
 */
export async function answerPage({ caches }: WorkerScope, shell: Shell, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName(shell))
  const kept = await cache.match('/')
  if (kept === undefined) return fetch(request)
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), PATIENCE_MS))
  const asked = fetch(request).then(
    // While the server starts, its proxy answers with an error.
    (answer) => (answer.status >= 500 ? kept : answer),
    () => kept,
  )
  return Promise.race([asked, late])
}

/** Answers with a file of this or an earlier build. Cached files never change, because their names would. */
export async function answerFile({ caches }: WorkerScope, shell: Shell, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName(shell))
  const kept = (await cache.match(request)) ?? (await caches.match(request))
  if (kept !== undefined) return kept
  const answer = await fetch(request)
  const isWanted = shell.large.includes(new URL(request.url).pathname)
  if (answer.ok && isWanted) await cache.put(request, answer.clone())
  return answer
}
