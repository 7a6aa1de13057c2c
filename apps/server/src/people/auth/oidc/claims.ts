import { limits } from '@foyer/protocol/limits'
import { canonicalAddress, isMailAddress } from '#src/kernel/mail/addresses.ts'
import type { ProvenIdentity } from '#src/kernel/oidc/provider.ts'
import type { ProviderSettings } from '#src/kernel/oidc/settings.ts'
import type { Ticket } from './sealed.ts'

const MAX_NAME_LENGTH = 128
const MAX_ADDRESS_LENGTH = 254

/** Returns the claims that are used here. All others are dropped. */
export function factsOf(
  { claims }: ProvenIdentity,
  settings: ProviderSettings,
): Pick<Ticket, 'name' | 'email' | 'isOperator'> {
  const name = claims.preferred_username
  return {
    name: typeof name === 'string' && name !== '' ? name.slice(0, MAX_NAME_LENGTH) : null,
    email: verifiedEmail(claims),
    isOperator: settings.operatorGroups === undefined ? null : isInGroups(claims, settings),
  }
}

/**
 * Returns the address if the provider has verified it. Anyone could have entered an unverified one, and the text
 * "true" is not a confirmation.
 */
function verifiedEmail({ email, email_verified }: ProvenIdentity['claims']): string | null {
  if (email_verified !== true || typeof email !== 'string') return null
  const address = canonicalAddress(email)
  return isMailAddress(address) && address.length <= MAX_ADDRESS_LENGTH ? address : null
}

function isInGroups(claims: ProvenIdentity['claims'], settings: ProviderSettings): boolean {
  const { operatorGroups = [] } = settings
  return groupsIn(claims, settings).some((group) => operatorGroups.includes(group))
}

/** Returns the groups of a person. Many providers omit the claim if there are none. */
export function groupsIn(
  claims: ProvenIdentity['claims'],
  { groupsClaim }: Pick<ProviderSettings, 'groupsClaim'>,
): string[] {
  return [claims[groupsClaim]].flat().filter((group) => typeof group === 'string')
}

/** Returns a username like the one at the provider, or null if it has no usable characters. */
export function suggestedUsername(name: string | null): string | null {
  const [local = ''] = (name ?? '').toLowerCase().split('@')
  const usable = local.replace(/[^a-z0-9_.]/g, '').slice(0, limits.usernameMax)
  return usable.length >= limits.usernameMin ? usable : null
}
