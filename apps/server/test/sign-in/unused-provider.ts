import type { ProviderSettings } from '#src/kernel/oidc/settings.ts'

/** Settings of a provider that nobody uses to log in. */
export function unusedProvider(id: string): ProviderSettings {
  return {
    ...{
      id,
      name: 'Main login',
      issuer: `https://${id}.example.org`,
      clientId: 'foyer',
      clientSecret: 'secret',
    },
    ...{
      scopes: ['openid'],
      groupsClaim: 'groups',
      operatorGroups: undefined,
      spaceGroups: undefined,
      allowInsecure: false,
    },
  }
}
