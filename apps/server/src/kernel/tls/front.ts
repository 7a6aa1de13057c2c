import type { Server as HttpServer } from 'node:http'
import type { Server } from 'node:https'
import type { ListenOptions } from 'node:net'
import type { Logger } from 'pino'
import { forwardRequests, joinServer, listening } from '../http/further-servers.ts'
import type { App } from '../http/types.ts'
import type { Challenges } from './challenges.ts'
import { type CheckedPair, isTimely } from './pair.ts'
import { explainPort } from './port-errors.ts'
import { createRedirectServer } from './redirect-server.ts'
import { createSecureServer } from './secure-server.ts'
import type { TlsSettings } from './settings.ts'

export interface FrontOptions {
  app: App
  settings: TlsSettings
  log: Logger
  /** Undefined without ACME. */
  challenges: Challenges | undefined
}

const MAX_WAITING = 65_535
/** Shares of the file descriptors: HTTP_PORT mostly redirects, and PORT is for this machine. */
const SHARES = { https: 0.7, http: 0.2, local: 0.1 }
/**
 * Shares of connections while HTTPS is only guessed and has no certificate: a proxy or tunnel may send everyone to
 * PORT.
 */
const GUESSED_SHARES = { https: 0.05, http: 0.05, local: 0.9 }

/**
 * The servers of HTTPS_PORT and HTTP_PORT, which close with the app. HTTPS_PORT passes its requests to the app. HTTP_PORT answers
 * ACME challenges and, once there is a certificate, redirects all other requests.
 */
export class Front {
  readonly #https: Server
  readonly #local: Pick<Server, 'maxConnections'>
  /** Maximum connections of all servers together. */
  readonly #all: number
  #http: HttpServer | undefined
  #hasHttp = false
  #pair: CheckedPair | undefined

  private constructor(https: Server, { app, settings }: FrontOptions) {
    this.#https = https
    this.#local = app.server
    this.#all = app.server.maxConnections
    this.#divide(isGuess(settings) ? GUESSED_SHARES : SHARES)
  }

  /** @throws Error with a sentence for the operator if HTTPS_PORT cannot be opened */
  static async open(options: FrontOptions): Promise<Front> {
    const { app, challenges, settings } = options
    const https = createSecureServer(challenges)
    joinServer(app, https, SHARES.https)
    forwardRequests(https, app)
    await listening(https, placeOf(settings, settings.httpsPort)).catch((error: unknown) => {
      throw new Error(explainPort('HTTPS_PORT', settings.httpsPort, error))
    })
    const front = new Front(https, options)
    if (settings.httpPort !== 0) await front.#openHttp(options)
    return front
  }

  /** Opens HTTP_PORT. A failure is only logged: browsers are not redirected then, but HTTPS works. */
  async #openHttp({ app, challenges, settings, log }: FrontOptions): Promise<void> {
    const { origin, httpPort } = settings
    const insecurely = isGuess(settings) ? 'refusal' : 'app'
    // Applies to an expired certificate, too: clients must not send anything without TLS again.
    const answerNow = () => (this.#pair === undefined ? insecurely : 'redirect')
    const http = createRedirectServer({ origin, answerNow, challenges, app: app.server })
    joinServer(app, http, isGuess(settings) ? GUESSED_SHARES.http : SHARES.http)
    this.#http = http
    try {
      await listening(http, placeOf(settings, httpPort))
      this.#hasHttp = true
    } catch (error) {
      log.error(explainPort('HTTP_PORT', httpPort, error))
    }
  }

  /** True if HTTP_PORT is open, so that ACME servers can use it. */
  get hasHttp(): boolean {
    return this.#hasHttp
  }

  /** True while there is a certificate that is currently valid. */
  get isSecure(): boolean {
    return this.#pair !== undefined && isTimely(this.#pair, Date.now())
  }

  get pair(): CheckedPair | undefined {
    return this.#pair
  }

  /** Uses the certificate for new connections. Open connections keep the previous certificate. */
  use(pair: CheckedPair): void {
    this.#https.setSecureContext({ cert: pair.chain, key: pair.key, minVersion: 'TLSv1.2' })
    this.#pair = pair
    this.#divide(SHARES)
  }

  #divide({ https, http, local }: typeof SHARES): void {
    this.#https.maxConnections = this.#all * https
    if (this.#http !== undefined) this.#http.maxConnections = this.#all * http
    this.#local.maxConnections = this.#all * local
  }
}

/** Returns true if the settings only suggest HTTPS. The operator may have meant to open a proxy or tunnel only. */
function isGuess(settings: TlsSettings): boolean {
  return settings.kind === 'acme' && settings.isGuess
}

function placeOf({ listenHost }: TlsSettings, port: number): ListenOptions {
  return { port, backlog: MAX_WAITING, ...(listenHost === undefined ? {} : { host: listenHost }) }
}
