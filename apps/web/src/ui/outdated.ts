const KEY = 'foyer.reloaded'

/**
 * Loads the page anew where its build is not the server's any more, whose files have other names: once for each build.
 * @returns whether it does
 */
export async function reloadIfOutdated(): Promise<boolean> {
  const build = await findNewBuild()
  if (build === undefined || sessionStorage.getItem(KEY) === build) return false
  sessionStorage.setItem(KEY, build)
  window.location.reload()
  return true
}

/** The script that the server's page begins with, where that is not this page's. */
async function findNewBuild(): Promise<string | undefined> {
  const own = document.querySelector('script[type="module"]')?.getAttribute('src')
  const response = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } })
  const [, current] = /<script type="module"[^>]* src="([^"]+)"/.exec(await response.text()) ?? []
  return response.ok && current !== own ? current : undefined
}
