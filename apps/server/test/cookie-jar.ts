import type { RawAnswer } from './scenes/accounts.ts'

interface KeptCookie {
  name: string
  value: string
  path: string
  maxAge: number
}

/** Cookies a browser keeps from responses. */
export class CookieJar {
  cookies: readonly KeptCookie[] = []

  take({ headers }: RawAnswer): this {
    for (const text of headers.getSetCookie()) this.#set(parse(text))
    return this
  }

  /** Returns the `cookie` header of a request to this path. */
  sentTo(path: string): string {
    const fitting = this.cookies.filter((cookie) => path.startsWith(cookie.path))
    return fitting.map(({ name, value }) => `${name}=${value}`).join('; ')
  }

  #set(cookie: KeptCookie): void {
    const others = this.cookies.filter(({ name, path }) => name !== cookie.name || path !== cookie.path)
    this.cookies = cookie.maxAge > 0 ? [...others, cookie] : others
  }
}

function parse(text: string): KeptCookie {
  const [pair = '', ...attributes] = text.split('; ')
  const attributeOf = (wanted: string) =>
    attributes.find((attribute) => attribute.startsWith(`${wanted}=`))?.slice(wanted.length + 1) ?? ''
  const [name = '', value = ''] = pair.split('=')
  return { name, value, path: attributeOf('Path'), maxAge: Number(attributeOf('Max-Age')) }
}
