import type { FastifyReply } from 'fastify'

export interface Cookie {
  name: string
  /** An empty value removes the cookie. */
  value: string
  path: string
  sameSite: 'Lax' | 'Strict'
  maxAgeSeconds: number
  secure: boolean
}

/** Sets a cookie that scripts cannot read. */
export function setCookie(reply: FastifyReply, cookie: Cookie): void {
  const attributes = [
    `${cookie.name}=${cookie.value}`,
    `Path=${cookie.path}`,
    'HttpOnly',
    `SameSite=${cookie.sameSite}`,
    `Max-Age=${cookie.maxAgeSeconds}`,
  ]
  reply.header('set-cookie', [...attributes, ...(cookie.secure ? ['Secure'] : [])].join('; '))
}

/** Returns all values of a cookie. A neighbouring host of the same domain may have added some. */
export function cookiesNamed(name: string, header: string | undefined): string[] {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}
