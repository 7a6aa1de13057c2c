import { Administration } from '@foyer/sdk/api/administration'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useAnswer } from '#src/session/use-answer.ts'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { operatorWords } from '../words.ts'
import { Applications } from './applications.tsx'
import { InviteList } from './invite-list.tsx'
import { LoginRules } from './login-rules.tsx'
import { RulesForm } from './rules-form.tsx'

const ask = (client: Client, options: CallOptions) => client.api(Administration).getRegistration(options)

/** Pending applications, the rules for new accounts, invites to the server, and the rule for two-step login. */
export function RegistrationSection() {
  const { answer, again, change } = useAnswer(ask, operatorWords)
  if (answer.state === 'failed') return <LoadError message={answer.message} again={again} />
  if (answer.state === 'loading') return <Skeleton />
  const rules = answer.value
  return (
    <>
      <Applications isExpected={rules.mode === 'approval'} />
      <RulesForm rules={rules} onSaved={(saved) => change(() => saved)} />
      <InviteList rules={rules} />
      <LoginRules />
    </>
  )
}
