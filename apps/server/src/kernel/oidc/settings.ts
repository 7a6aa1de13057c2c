import { readFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'
import { type Static, Type } from 'typebox'
import { Check, Errors } from 'typebox/value'

const VARIABLE = 'OIDC_PROVIDERS'
const Groups = Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 100 })
const Given = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9-]{1,32}$' }),
    name: Type.String({ minLength: 1, maxLength: 64 }),
    issuer: Type.String({ maxLength: 512 }),
    client_id: Type.String({ minLength: 1, maxLength: 512 }),
    client_secret: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
    scopes: Type.Optional(Type.Array(Type.String({ pattern: '^[!#-\\[\\]-~]+$' }), { maxItems: 50 })),
    groups_claim: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    operator_groups: Type.Optional(Groups),
    space_groups: Type.Optional(Groups),
    allow_insecure: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
type Given = Static<typeof Given>

/** A sign-in provider from the operator's settings. */
export interface ProviderSettings {
  readonly id: string
  /** Name shown to people. */
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  /** Undefined for a public client, which only PKCE protects. */
  readonly clientSecret: string | undefined
  readonly scopes: readonly string[]
  readonly groupsClaim: string
  /** Groups whose members are operators; undefined if groups do not make operators. */
  readonly operatorGroups: readonly string[] | undefined
  /** Groups that spaces may give roles to; undefined for all. */
  readonly spaceGroups: readonly string[] | undefined
  /** True if the issuer is on this machine and has no TLS. */
  readonly allowInsecure: boolean
}

/**
 * Reads the providers of the setting: a JSON array, or the path of a file that contains the array.
 * @throws Error with a sentence that names the mistake, and never a secret
 */
export function readProviders(text: string): ProviderSettings[] {
  if (text.trim() === '') return []
  const given = parse(text.trim().startsWith('[') ? text : readGivenFile(text.trim()))
  if (!Array.isArray(given)) throw new Error(`${VARIABLE} must be a JSON array of providers`)
  const providers = given.map((entry: unknown, index) => settingsOf(checked(entry, index)))
  demandUnique(providers, 'id')
  demandUnique(providers, 'issuer')
  return providers
}

function readGivenFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new Error(`${VARIABLE} is neither a JSON array nor the path of a file that can be read: ${path}`)
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // The error of the parser quotes the text, which contains secrets.
    throw new Error(`${VARIABLE} is not valid JSON`)
  }
}

function checked(entry: unknown, index: number): Given {
  if (Check(Given, entry)) return entry
  const [error] = Errors(Given, entry)
  const place = error === undefined || error.instancePath === '' ? '' : `${error.instancePath.slice(1)} `
  throw new Error(`${VARIABLE}: provider ${index + 1}: ${place}${error?.message}`)
}

function settingsOf(given: Given): ProviderSettings {
  const { id, name, client_id, client_secret, scopes = ['profile', 'email'] } = given
  const allowInsecure = given.allow_insecure ?? false
  checkIssuer(given, allowInsecure)
  return {
    ...{ id, name, issuer: given.issuer, clientId: client_id, clientSecret: client_secret },
    scopes: ['openid', ...scopes.filter((scope) => scope !== 'openid')],
    groupsClaim: given.groups_claim ?? 'groups',
    operatorGroups: given.operator_groups,
    spaceGroups: given.space_groups,
    allowInsecure,
  }
}

function checkIssuer({ id, issuer }: Given, allowInsecure: boolean): void {
  const url = URL.parse(issuer)
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
  if (!isAddress || url.username !== '' || url.password !== '')
    throw new Error(`${VARIABLE}: the issuer of ${id} must be an address like https://login.example.org`)
  // From the address of a metadata file, the library would take the issuer without comparing it with the setting.
  if (url.pathname.includes('/.well-known/'))
    throw new Error(`${VARIABLE}: the issuer of ${id} must end before /.well-known/`)
  if (allowInsecure && !isLoopback(url.hostname))
    throw new Error(
      `${VARIABLE}: allow_insecure of ${id} needs an issuer on this machine, like http://127.0.0.1:3000`,
    )
  if (url.protocol !== 'https:' && !allowInsecure)
    throw new Error(`${VARIABLE}: the issuer of ${id} must begin with https://`)
}

function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (!ipaddr.isValid(address)) return address === 'localhost'
  return ipaddr.process(address).range() === 'loopback'
}

function demandUnique(providers: readonly ProviderSettings[], field: 'id' | 'issuer'): void {
  const values = providers.map((provider) => provider[field])
  const repeated = values.find((value, index) => values.indexOf(value) !== index)
  if (repeated !== undefined) throw new Error(`${VARIABLE}: two providers have the ${field} ${repeated}`)
}
