import type { OpenPage, WorkerScope } from './scope.ts'

/** The files of one build of the client, by their paths. */
export interface Shell {
  /** The script that the page begins with; its name is another with every build. */
  readonly entry: string
  /** All that is kept from the start. */
  readonly files: readonly string[]
  /** Kept once somebody has used them. */
  readonly large: readonly string[]
}

const PREFIX = 'foyer-build:'
/** A network that is this slow is no better than none. */
const PATIENCE_MS = 4_000

/** Pages hold a lock of the same name for as long as they live. */
export function cacheName({ entry }: Pick<Shell, 'entry'>): string {
  return PREFIX + entry
}

/** Has the whole build here, or fails, and is tried again by the browser later. */
export async function keepShell({ caches }: WorkerScope, shell: Shell): Promise<void> {
  const page = await fetch('/', { cache: 'no-cache', headers: { accept: 'text/html' } })
  // The server may have been updated since it handed out this worker: pages and files of two builds must not meet.
  if (!page.ok || !(await page.clone().text()).includes(shell.entry)) throw new Error('not this build')
  const cache = await caches.open(cacheName(shell))
  await cache.addAll(shell.files.filter((path) => path !== '/'))
  await cache.put('/', page)
}

/**
 * Deletes what earlier builds left here, but for those of which a page is still open: it may yet ask for a part of
 * its own.
 */
export async function dropOldShells({ caches, navigator }: WorkerScope, shell: Shell): Promise<void> {
  const { held = [] } = await navigator.locks.query()
  const kept = new Set([cacheName(shell), ...held.map(({ name = '' }) => name)])
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && !kept.has(name))
  await Promise.all(old.map((name) => caches.delete(name)))
}

/** Tells every page which build is here now: who shows an older one says so. */
export async function tellBuild({ clients }: WorkerScope, { entry }: Shell): Promise<void> {
  const pages: readonly OpenPage[] = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  for (const page of pages) page.postMessage({ kind: 'build', entry })
}

/** The page as the server has it now, so that a new build is taken at once; what is kept where the server is out of reach. */
export async function answerPage({ caches }: WorkerScope, shell: Shell, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName(shell))
  const kept = await cache.match('/')
  if (kept === undefined) return fetch(request)
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), PATIENCE_MS))
  const asked = fetch(request).then(
    // While a server starts, what stands before it answers for it.
    (answer) => (answer.status >= 500 ? kept : answer),
    () => kept,
  )
  return Promise.race([asked, late])
}

/** A file of this build or an earlier one: what is kept of it never changes, because its name would. */
export async function answerFile({ caches }: WorkerScope, shell: Shell, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName(shell))
  const kept = (await cache.match(request)) ?? (await caches.match(request))
  if (kept !== undefined) return kept
  const answer = await fetch(request)
  const isWanted = shell.large.includes(new URL(request.url).pathname)
  if (answer.ok && isWanted) await cache.put(request, answer.clone())
  return answer
}
