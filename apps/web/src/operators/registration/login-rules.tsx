import type { SecondFactorRule } from '@foyer/protocol/second-factors'
import { Administration } from '@foyer/sdk/api/administration'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { OptionCards } from '#src/ui/fields/option-cards.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { operatorWords } from '../words.ts'

const options: readonly { value: SecondFactorRule; label: string; description: string }[] = [
  { value: 'nobody', label: t('No one'), description: t('Everyone decides for themselves.') },
  {
    value: 'operators',
    label: t('Administrators'),
    description: t('Administrators can only open these pages after signing in with a second step.'),
  },
  {
    value: 'everybody',
    label: t('Everyone'),
    description: t('Everyone needs an authenticator app or a passkey to use this server.'),
  },
]

/** Chooses who needs two-step login. It applies immediately. */
export function LoginRules() {
  const { client } = useSession()
  const { answer, again, change } = useAnswer(ask, operatorWords)
  const saving = useAction(operatorWords)
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  if (answer.state === 'loading') return <Skeleton />

  function choose(second_factor_for: SecondFactorRule) {
    saving.run(async () => {
      const saved = await client.api(Administration).updateLoginRules({ second_factor_for })
      change(() => saved)
    })
  }

  return (
    <section className="operator-part" aria-labelledby="operator-login-rules">
      <h4 id="operator-login-rules">{t('Two-step login')}</h4>
      <OptionCards
        label={t('Who needs two-step login')}
        options={options}
        value={answer.value.second_factor_for}
        onChange={choose}
      />
      <ErrorLine message={saving.error} />
    </section>
  )
}

function ask(client: Client, options: CallOptions) {
  return client.api(Administration).getLoginRules(options)
}
