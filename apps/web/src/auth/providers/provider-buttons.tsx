import type { InstanceLogin } from '@foyer/protocol/oidc'
import { t } from '#src/language/texts.ts'
import { startAddress } from './provider-start.ts'

interface ProviderButtonsProps {
  login: InstanceLogin
  /** Path to open after signing in. */
  next: string
}

/** Links to the pages where sign-in providers ask who the user is. */
export function ProviderButtons({ login: { providers, passwords }, next }: ProviderButtonsProps) {
  return (
    <div className="auth-providers">
      {passwords && <p className="auth-switch">{t('or')}</p>}
      {providers.map(({ id, name }) => (
        <a
          key={id}
          href={startAddress(id, next)}
          className={passwords ? 'button button-quiet' : 'button button-primary'}
        >
          {t('Continue with {provider}', { provider: name })}
        </a>
      ))}
    </div>
  )
}
