import type { RequestListener } from 'node:http'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import type { ProviderSettings } from '#src/kernel/oidc/settings.ts'
import { startTarget } from '../outside/http-target.ts'

type SigningKey = CryptoKey | Uint8Array
/** Claims of a token. Undefined claims are left out. */
export type Claims = Record<string, unknown>

/** A key pair of the provider. */
export interface Keys {
  kid: string
  privateKey: CryptoKey
  publicKey: JWK
}

/** A provider whose answers a test controls. */
export interface HostileProvider {
  settings: ProviderSettings
  keys: Keys
  /** Public keys that the provider publishes. */
  published: JWK[]
  /** Fields to add to the usual metadata, or to replace there. */
  metadata: Record<string, unknown>
  /** Fields of the token endpoint's answer, such as `id_token`. */
  tokens: Record<string, unknown>
  /** Handles every request instead of the provider, while it is set. */
  instead: RequestListener | undefined
  /** Paths that were requested. */
  asked(): string[]
  /** Returns the claims of a valid token, except for the changes. */
  claims(changes?: Claims): Claims
  sign(claims: Claims, options?: { key?: SigningKey; header?: Record<string, unknown> }): Promise<string>
  close(): Promise<void>
}

export async function newKeys(kid: string): Promise<Keys> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  return { kid, privateKey, publicKey: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } }
}

export async function startHostileProvider(
  changes: Partial<ProviderSettings> = {},
): Promise<HostileProvider> {
  const target = await startTarget((request, response) => {
    if (provider.instead !== undefined) return provider.instead(request, response)
    return answer(provider)(request, response)
  })
  const issuer = `http://127.0.0.1:${target.port}`
  const keys = await newKeys('first')
  const provider: HostileProvider = {
    settings: {
      ...{ id: 'evil', name: 'Evil', issuer, clientId: 'foyer', clientSecret: 'secret', scopes: ['openid'] },
      ...{
        groupsClaim: 'groups',
        operatorGroups: undefined,
        spaceGroups: undefined,
        allowInsecure: true,
        ...changes,
      },
    },
    ...{ keys, published: [keys.publicKey], metadata: {}, tokens: {}, instead: undefined },
    asked: () => target.requests.map(({ path }) => path),
    claims: (more = {}) => ({ ...claimsOf(provider.settings), ...more }),
    sign: (claims, { key = provider.keys.privateKey, header = {} } = {}) =>
      new SignJWT(plain(claims))
        .setProtectedHeader({ alg: 'RS256', kid: provider.keys.kid, ...header })
        .sign(key),
    close: () => target.close(),
  }
  return provider
}

function plain(claims: Claims): JWTPayload {
  const payload: JWTPayload = JSON.parse(JSON.stringify(claims))
  return payload
}

function claimsOf({ issuer, clientId }: ProviderSettings): Claims {
  const now = Math.floor(Date.now() / 1000)
  return { iss: issuer, aud: clientId, sub: 'mallory', iat: now, exp: now + 600 }
}

function answer(provider: HostileProvider): RequestListener {
  const { issuer } = provider.settings
  return (request, response) => {
    const bodies: Record<string, unknown> = {
      '/.well-known/openid-configuration': {
        ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
        ...{
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
        },
        ...{ id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'], ...provider.metadata },
      },
      '/keys': { keys: provider.published },
      '/token': { access_token: 'any', token_type: 'Bearer', ...provider.tokens },
    }
    const body = bodies[request.url ?? '']
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? {}))
  }
}
