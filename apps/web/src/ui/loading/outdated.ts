const KEY = 'foyer.reloaded'

/**
 * Reloads the page if the server has another build, whose files have other names. Reloads at most once per build.
 * @returns true if the page reloads
 */
export async function reloadIfOutdated(): Promise<boolean> {
  const build = await findNewBuild()
  if (build === undefined || sessionStorage.getItem(KEY) === build) return false
  sessionStorage.setItem(KEY, build)
  window.location.reload()
  return true
}

/** Returns the entry script of the page that the server has now; undefined if this page has the same script. */
async function findNewBuild(): Promise<string | undefined> {
  const own = document.querySelector('script[type="module"]')?.getAttribute('src')
  const response = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } })
  const [, current] = /<script type="module"[^>]* src="([^"]+)"/.exec(await response.text()) ?? []
  return response.ok && current !== own ? current : undefined
}
