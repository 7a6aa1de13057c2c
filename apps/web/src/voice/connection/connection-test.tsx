import { CircleAlert, CircleCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { lazily } from '#src/language/formats.ts'
import { locale, t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
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
        {action.pending ? t('Testing…') : t('Test connection')}
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
    direct: isTimed ? t('Audio works. Ping: {ms} ms.', { ms }) : t('Audio works.'),
    tcp: isTimed
      ? t('Audio works over TCP, because UDP is blocked. Ping: {ms} ms.', { ms })
      : t('Audio works over TCP, because UDP is blocked.'),
    relayed: isTimed
      ? t('Audio works through a relay, because the direct connection is blocked. Ping: {ms} ms.', { ms })
      : t('Audio works through a relay, because the direct connection is blocked.'),
    none: `${t('Audio can’t reach the server.')} ${wayTo(server)}`,
    unknown: t('This server uses LiveKit for voice. Join a voice room to see whether it works.'),
  }[way]
}

function wayTo({ ports, tcp_ports, addresses }: CheckResult['server']): string {
  if (ports.length === 0) return t('Your browser needs to reach the server over UDP or TCP.')
  // Port numbers are formatted as text, without thousands separators.
  const port = either().format(ports.map(String))
  const tcpPort = either().format(tcp_ports.map(String))
  const address = either().format(addresses)
  if (tcp_ports.length === 0) return wayByUdp(port, address)
  if (address === '')
    return t('Your browser needs to reach UDP port {port} or TCP port {tcpPort}.', { port, tcpPort })
  return t('Your browser needs to reach UDP port {port} or TCP port {tcpPort} on {address}.', {
    port,
    tcpPort,
    address,
  })
}

function wayByUdp(port: string, address: string): string {
  if (address === '') return t('Your browser needs to reach UDP port {port}.', { port })
  return t('Your browser needs to reach UDP port {port} on {address}.', { port, address })
}

const either = lazily(() => new Intl.ListFormat(locale(), { type: 'disjunction' }))
