import type { RequestListener } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'
import type { ProviderSettings } from '#src/kernel/oidc/settings.ts'
import type { CertificatePair } from '#src/kernel/tls/pair.ts'
import { startTarget } from '../outside/http-target.ts'

export const CLIENT_ID = 'foyer'
const CLIENT_SECRET = 'a secret of the client'

/** Claims of each account, by login name. */
export type Accounts = Record<string, Record<string, unknown>>

export interface RealProvider {
  settings: ProviderSettings
  /** Accepts logins for a server at this address. */
  serve(serverUrl: string): Promise<void>
  /** Ends a session at the provider, which notifies the server. */
  endSession(subject: string, session: string): Promise<void>
  close(): Promise<void>
}

/** An address of this machine for a provider with HTTPS, and its certificate. */
export interface ProviderPlace {
  address: string
  pair: CertificatePair
}

/**
 * Starts a certified provider on this machine, with these accounts.
 * @param place address and certificate for HTTPS; by default, the provider uses HTTP on the loopback address
 */
export async function startRealProvider(
  accounts: Accounts,
  changes: Partial<ProviderSettings> = {},
  place?: ProviderPlace,
): Promise<RealProvider> {
  let listener: RequestListener = (_request, response) => response.writeHead(404).end()
  const { address, pair } = place ?? { address: '127.0.0.1', pair: undefined }
  const target = await startTarget((request, response) => listener(request, response), address, 0, pair)
  const issuer = `${pair === undefined ? 'http' : 'https'}://${address}:${target.port}`
  const settings: ProviderSettings = {
    ...{ id: 'main', name: 'Main login', issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
    ...{
      scopes: ['openid', 'profile', 'email', 'groups'],
      groupsClaim: 'groups',
      operatorGroups: undefined,
      spaceGroups: undefined,
    },
    ...{ allowInsecure: pair === undefined, ...changes },
  }
  let provider: Provider | undefined
  return {
    settings,
    async serve(serverUrl) {
      provider = new Provider(
        issuer,
        await configurationOf(accounts, `${serverUrl}/api/auth/oidc/${settings.id}`),
      )
      listener = provider.callback()
    },
    async endSession(subject, session) {
      const client = await provider?.Client.find(CLIENT_ID)
      await client?.backchannelLogout(subject, session)
    },
    close: () => target.close(),
  }
}

async function configurationOf(accounts: Accounts, root: string): Promise<object> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: 'first', use: 'sig', alg: 'RS256' }
  return {
    jwks: { keys: [key] },
    cookies: { keys: ['a key of the cookies of the provider'] },
    clients: [
      {
        ...{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: [`${root}/callback`] },
        ...{
          backchannel_logout_uri: `${root}/backchannel-logout`,
          backchannel_logout_session_required: true,
          post_logout_redirect_uris: [new URL('/', root).href],
        },
      },
    ],
    claims: {
      openid: ['sub'],
      profile: ['preferred_username'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    pkce: { required: () => true },
    // Replaces the library's own fetch, which refuses addresses of this machine.
    fetch: (url: string, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown }) =>
      fetch(url, options),
    features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
    findAccount: (_context: unknown, id: string) =>
      accounts[id] && { accountId: id, claims: () => ({ sub: id, ...accounts[id] }) },
  }
}
