interface KeptCookie {
  value: string
  path: string
}

/** Path of the web client's page to which the server redirects after a login at a provider. */
const PAGE = '/sign-in'
const MAX_STEPS = 20

/** A browser on its way from the server to a provider and back. It keeps cookies by name and path. */
export class SignInBrowser {
  readonly cookies = new Map<string, KeptCookie>()

  /** Sends one request. */
  async open(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, cookie: this.sentTo(new URL(url).pathname) },
    })
    this.take(response.headers)
    return response
  }

  /** Stores the cookies of a response. */
  take(headers: Headers): void {
    for (const text of headers.getSetCookie()) this.#keep(text)
  }

  /** Follows redirects and submits the provider's forms, until it reaches the page of the web client. */
  async follow(start: string, account: string): Promise<URL> {
    let url = new URL(start)
    for (let step = 0; step < MAX_STEPS; step += 1) {
      if (url.pathname === PAGE) return url
      const response = await this.open(url)
      const next =
        response.headers.get('location') ?? (await this.#submit(url, await response.text(), account))
      url = new URL(next, url)
    }
    throw new Error(`the way through the provider did not end: ${url}`)
  }

  /** Posts JSON with the headers of the web client, which keeps its tokens in cookies. */
  post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const own = {
      'content-type': 'application/json',
      'x-token-storage': 'cookie',
      'sec-fetch-site': 'same-origin',
    }
    return this.open(url, { method: 'POST', body: JSON.stringify(body), headers: { ...own, ...headers } })
  }

  sentTo(path: string): string {
    const fitting = [...this.cookies].filter(([, cookie]) => path.startsWith(cookie.path))
    return fitting.map(([name, { value }]) => `${name}=${value}`).join('; ')
  }

  /** Submits the form of a provider's page: first the login, then the consent. */
  async #submit(url: URL, html: string, account: string): Promise<string> {
    const asksName = html.includes('name="login"')
    const fields = asksName ? { prompt: 'login', login: account, password: 'any' } : { prompt: 'consent' }
    if (!html.includes('<form')) throw new Error(`a page without a form: ${url} ${html.slice(0, 300)}`)
    const action = /action="([^"]+)"/.exec(html)?.[1] ?? url.href
    const response = await this.open(new URL(action, url), {
      method: 'POST',
      body: new URLSearchParams(fields),
    })
    const location = response.headers.get('location')
    if (location === null) throw new Error(`the form of the provider led nowhere: ${await response.text()}`)
    return location
  }

  #keep(text: string): void {
    const [pair = '', ...attributes] = text.split(/; ?/)
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
    const named = (wanted: string) =>
      attributes.find((each) => each.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1)
    const isGone = named('max-age') === '0' || value === ''
    if (isGone) this.cookies.delete(name)
    else this.cookies.set(name, { value, path: named('path') ?? '/' })
  }
}
