import { CircleAlert, CircleCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { lazily } from '#src/language/formats.ts'
import { locale, t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/button.tsx'
import { useAction } from '#src/ui/use-action.ts'
import { type CheckResult, checkConnection } from './connection-check.ts'
import './connection-test.css'

interface ConnectionTestProps {
  /** Shown if no audio gets through. */
  help?: ReactNode
}

/** Tests whether audio reaches the server. */
export function ConnectionTest({ help }: ConnectionTestProps) {
  const { client } = useSession()
  const action = useAction()
  const [result, setResult] = useState<CheckResult | null>(null)

  async function check() {
    setResult(null)
    setResult(await checkConnection(client))
  }

  return (
    <div className="connection-test">
      <Button pending={action.pending} onClick={() => action.run(check)}>
        {action.pending ? t('Testing…') : t('Test the connection')}
      </Button>
      <div role="status">
        {result !== null && (
          <p className="connection-outcome" data-bad={result.way === 'none' || undefined}>
            {result.way === 'none' ? <CircleAlert aria-hidden="true" /> : <CircleCheck aria-hidden="true" />}
            {wordsFor(result)}
          </p>
        )}
      </div>
      {result?.way === 'none' && help}
      {action.error !== null && (
        <p role="alert" className="form-error">
          {action.error}
        </p>
      )}
    </div>
  )
}

function wordsFor({ way, rttMs, server }: CheckResult): string {
  const ms = Math.max(1, Math.round(rttMs ?? 0))
  const isTimed = rttMs !== undefined
  return {
    direct: isTimed
      ? t('Sound gets through, in {ms} ms to the server and back.', { ms })
      : t('Sound gets through.'),
    relayed: isTimed
      ? t(
          'Sound gets through, by a relay because the direct way is blocked, in {ms} ms to the server and back.',
          { ms },
        )
      : t('Sound gets through, by a relay because the direct way is blocked.'),
    none: `${t('No sound gets through.')} ${wayTo(server)}`,
    unknown: t('This server leaves voice to a LiveKit: whether it is reached shows when you join.'),
  }[way]
}

function wayTo({ ports, addresses }: CheckResult['server']): string {
  if (ports.length === 0) return t('It would have to reach the server by UDP.')
  // Port numbers are formatted as text, without thousands separators.
  const port = either().format(ports.map(String))
  if (addresses.length === 0) return t('It would have to reach UDP port {port}.', { port })
  return t('It would have to reach UDP port {port} of {address}.', {
    port,
    address: either().format(addresses),
  })
}

const either = lazily(() => new Intl.ListFormat(locale(), { type: 'disjunction' }))
