import type { Config } from '#src/config.ts'
import { Provider } from '#src/kernel/oidc/provider.ts'
import type { ProviderSettings } from '#src/kernel/oidc/settings.ts'
import { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { examine, type Finding } from './finding.ts'

/** Asks each sign-in provider for its metadata and keys, as the server does for a login. */
export async function examineProviders(
  config: Pick<Config, 'oidcProviders' | 'allowedPrivateHosts' | 'publicUrl'>,
): Promise<Finding[]> {
  const doors = { trusted: new Outgoing('trusted'), outgoing: new Outgoing(config) }
  try {
    const providers = config.oidcProviders.map((settings) => new Provider(settings, doors))
    return await Promise.all(providers.map((provider) => examineProvider(provider, config.publicUrl)))
  } finally {
    await Promise.all([doors.trusted.close(), doors.outgoing.close()])
  }
}

function examineProvider(provider: Provider, publicUrl: string | undefined): Promise<Finding> {
  const { settings } = provider
  const remedy = 'check the issuer in OIDC_PROVIDERS; docs/SIGN-IN.md has more'
  return examine(`sign-in provider ${settings.id}`, remedy, async () => {
    await provider.readKeys()
    return `${settings.issuer} has keys; ${redirectNote(settings, publicUrl)}`
  })
}

function redirectNote({ id }: ProviderSettings, publicUrl: string | undefined): string {
  const base = publicUrl ?? 'the address of the server'
  return `its redirect address must be ${base}/api/auth/oidc/${id}/callback`
}
