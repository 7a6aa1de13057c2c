import type { SignInProvider } from '@foyer/protocol/oidc'
import { Identities } from '@foyer/sdk/api/identities'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { useInstance } from '#src/auth/use-instance.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { Button } from '#src/ui/buttons/button.tsx'

/** Signs out of the server and of the provider that opened this session. Shows nothing for another session. */
export function ProviderSignOut() {
  const hasProviders = (useInstance()?.login.providers.length ?? 0) > 0
  return hasProviders && <SignOutThere />
}

function SignOutThere() {
  const { client } = useSession()
  const { answer } = useAnswer(getProvider)
  const [pending, setPending] = useState(false)
  if (answer.state !== 'here' || answer.value === null) return null

  async function signOut() {
    setPending(true)
    const page = await client
      .api(Identities)
      .findLogout()
      .catch(() => ({ url: null }))
    // The client signs out even if this fails. The server's session then expires by itself.
    await client.auth.logout().catch(() => undefined)
    if (page.url !== null) window.location.assign(page.url)
  }

  return (
    <Button className="account-sign-out" pending={pending} onClick={() => void signOut()}>
      <LogOut aria-hidden="true" /> {t('Sign out here and at {provider}', { provider: answer.value.name })}
    </Button>
  )
}

async function getProvider(client: Client, options: CallOptions): Promise<SignInProvider | null> {
  return (await client.api(Identities).list(options)).session_provider
}
