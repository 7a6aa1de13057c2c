import { isIP } from 'node:net'

export const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'
/** Address for this machine only: with HTTPS, no one else needs PORT. */
const LOOPBACK = '127.0.0.1'

/** The host of the certificate, and the ports for it. */
interface TlsPlace {
  /** The host of PUBLIC_URL. */
  host: string
  /** The origin of PUBLIC_URL, to which HTTP redirects. */
  origin: string
  httpsPort: number
  /** 0 disables HTTP_PORT. */
  httpPort: number
  /** HOST, if it is set. Otherwise the ports listen on all addresses. */
  listenHost: string | undefined
}

/** A certificate from an ACME server. */
export interface AcmeTls extends TlsPlace {
  kind: 'acme'
  directory: string
  email: string | undefined
  /** True if the settings only suggest HTTPS. If the port cannot be opened, the server then runs without HTTPS. */
  isGuess: boolean
}

/** The operator's own certificate. */
export interface FileTls extends TlsPlace {
  kind: 'files'
  certificate: string
  key: string
}

export type TlsSettings = AcmeTls | FileTls

interface Given {
  mode: 'auto' | 'acme' | 'off'
  certificate: string | undefined
  key: string | undefined
  httpsPort: number
  httpPort: number
  directory: string
  email: string | undefined
  publicUrl: string | undefined
}

/** Settings that suggest that the server is behind a proxy. */
const SIGNS_OF_A_PROXY = ['PORT', 'HOST', 'TRUSTED_PROXIES']

/**
 * Returns the settings of HTTPS; undefined without HTTPS. See decision 59.
 * @throws Error that names the setting that is missing or conflicts with another setting
 */
export function chooseTls(given: Given, environment: NodeJS.ProcessEnv): TlsSettings | undefined {
  const { mode, certificate, key, httpsPort, httpPort, directory, email } = given
  if (mode === 'off') return undefined
  if ((certificate === undefined) !== (key === undefined))
    throw new Error(certificate === undefined ? 'TLS_KEY needs TLS_CERT' : 'TLS_CERT needs TLS_KEY')
  const isGuess = mode === 'auto' && certificate === undefined
  if (isGuess && !suggestsHttps(given.publicUrl, environment)) return undefined
  const setting = certificate === undefined ? `TLS=${mode}` : 'TLS_CERT'
  const url = httpsUrlOf(given.publicUrl, setting)
  const listenHost = environment.HOST || undefined
  const place = { host: url.hostname, origin: url.origin, httpsPort, httpPort, listenHost }
  if (httpsPort === httpPort) throw new Error('HTTPS_PORT and HTTP_PORT must differ')
  if (certificate !== undefined && key !== undefined) {
    if (mode === 'acme') throw new Error('TLS=acme cannot be combined with TLS_CERT: unset one of them')
    return { kind: 'files', ...place, certificate, key }
  }
  if (!isDnsName(url.hostname))
    throw new Error('TLS=acme needs a PUBLIC_URL with a public name like chat.example.org')
  if (!URL.canParse(directory) || !/^https?:/.test(directory))
    throw new Error('ACME_DIRECTORY must be an address like https://acme.example.org/directory')
  return { kind: 'acme', ...place, directory, email, isGuess }
}

interface Served {
  host: string
  tls: TlsSettings | undefined
  services: readonly string[]
}

/** Returns the address on which PORT is open. */
export function portHostOf(config: Served): string {
  return servedTls(config) === undefined ? config.host : LOOPBACK
}

/** Returns the settings of HTTPS; undefined in processes that clients do not call, which only open PORT. */
export function servedTls({ tls, services }: Omit<Served, 'host'>): TlsSettings | undefined {
  return services.includes('api') || services.includes('gateway') ? tls : undefined
}

function suggestsHttps(publicUrl: string | undefined, environment: NodeJS.ProcessEnv): boolean {
  const url = publicUrl === undefined ? null : URL.parse(publicUrl)
  if (url === null || url.protocol !== 'https:' || url.port !== '' || !isDnsName(url.hostname)) return false
  return SIGNS_OF_A_PROXY.every((name) => (environment[name] ?? '') === '')
}

function httpsUrlOf(publicUrl: string | undefined, setting: string): URL {
  const url = publicUrl === undefined ? null : URL.parse(publicUrl)
  if (url?.protocol !== 'https:')
    throw new Error(`${setting} needs a PUBLIC_URL that begins with https, like https://chat.example.org`)
  return url
}

/** Returns whether public certificates are issued for the name. */
function isDnsName(host: string): boolean {
  const isAddress = isIP(host) !== 0 || host.startsWith('[')
  return (
    !isAddress &&
    host.includes('.') &&
    !/\.(localhost|local|internal|lan|home\.arpa|onion|test|invalid)$/.test(host)
  )
}
