import type { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import { readFiles } from '#src/kernel/tls/certificate-files.ts'
import { coversHost } from '#src/kernel/tls/pair.ts'
import type { TlsSettings } from '#src/kernel/tls/settings.ts'
import { renewalTimeOf } from '#src/operating/certificates/renewal-times.ts'
import { examine, type Finding } from './finding.ts'

const TIMEOUT_MS = 5000
const DAY_MS = 24 * 60 * 60 * 1000
/** A certificate that ends within this time is reported, so that the operator can get another one by hand. */
const EARLY_MS = 14 * DAY_MS

/** Looks at the certificate and the ports of HTTPS, if the server has it. */
export async function examineHttps(tls: TlsSettings | undefined, isRunning: boolean): Promise<Finding[]> {
  if (tls === undefined) return []
  if (!isRunning) return tls.kind === 'files' ? [await examineFiles(tls)] : []
  return Promise.all([examineCertificate(tls), examineRedirect(tls)])
}

function examineFiles(tls: Extract<TlsSettings, { kind: 'files' }>): Promise<Finding> {
  return examine('certificate', 'check TLS_CERT and TLS_KEY', async () => {
    const { certificate } = await readFiles(tls)
    return judge(certificate, tls)
  })
}

/** Asks the port for the certificate that browsers get. */
function examineCertificate(tls: TlsSettings): Promise<Finding> {
  const remedy = `look at the log of the server: HTTPS_PORT (${tls.httpsPort}) is not open, or it has no certificate`
  return examine('certificate', remedy, async () => {
    const socket = await openTls(tls)
    try {
      const certificate = socket.getPeerX509Certificate()
      if (certificate === undefined) throw new Error('the server has none')
      const finding = judge(certificate, tls)
      if (finding.verdict !== 'good' || socket.authorized) return finding
      const says = `${finding.says}, but this machine does not trust it: ${socket.authorizationError}`
      return { verdict: 'note', says, remedy: 'browsers trust only certificates of public authorities' }
    } finally {
      socket.destroy()
    }
  })
}

async function openTls({ host, httpsPort, listenHost }: TlsSettings): Promise<TLSSocket> {
  const place = { host: addressOf(listenHost), port: httpsPort, servername: host }
  const socket = connect({ ...place, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
  socket.on('error', () => undefined)
  await once(socket, 'secureConnect', { signal: AbortSignal.timeout(TIMEOUT_MS) })
  return socket
}

function judge(certificate: X509Certificate, { kind, host }: TlsSettings): Omit<Finding, 'what'> {
  const [startsAt, endsAt] = [certificate.validFromDate.getTime(), certificate.validToDate.getTime()]
  const until = `valid until ${certificate.validToDate.toISOString()}`
  const isOwn = kind === 'files'
  if (!coversHost(certificate, host)) {
    const remedy = isOwn
      ? 'get one for this name, and set TLS_CERT and TLS_KEY to it'
      : 'look at the log of the server'
    return { verdict: 'bad', says: `it is not valid for ${host}, the host of PUBLIC_URL`, remedy }
  }
  if (endsAt <= Date.now() || startsAt > Date.now()) {
    const remedy = isOwn ? 'replace the files of TLS_CERT and TLS_KEY' : 'look at the log of the server'
    return { verdict: 'bad', says: `its time is ${certificate.validFrom} to ${certificate.validTo}`, remedy }
  }
  const lateAt = isOwn ? endsAt - EARLY_MS : renewalTimeOf({ startsAt, endsAt }) + DAY_MS
  if (Date.now() < lateAt) return { verdict: 'good', says: `for ${host}, ${until}` }
  const remedy = isOwn
    ? 'replace the files of TLS_CERT and TLS_KEY soon'
    : 'its renewal failed: look at the log of the server'
  return { verdict: 'note', says: `for ${host}, ${until}`, remedy }
}

function examineRedirect({ httpPort, listenHost, origin }: TlsSettings): Promise<Finding> {
  const remedy = `look at the log of the server: HTTP_PORT (${httpPort}) is not open`
  return examine('http', remedy, async () => {
    if (httpPort === 0) {
      const says = 'HTTP_PORT is 0: who types the address without https finds nothing'
      return { verdict: 'note', says, remedy: 'set HTTP_PORT, unless another program redirects to HTTPS' }
    }
    const address = addressOf(listenHost)
    const url = `http://${address.includes(':') ? `[${address}]` : address}:${httpPort}/api/health`
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const { status, headers } = await fetch(url, { redirect: 'manual', signal })
    if (headers.get('location')?.startsWith(`${origin}/`)) return `port ${httpPort} leads to ${origin}`
    if (status !== 200) throw new Error(`port ${httpPort} answers ${status}`)
    return {
      verdict: 'bad',
      says: `port ${httpPort} is not encrypted: there is no certificate`,
      remedy,
    }
  })
}

function addressOf(listenHost: string | undefined): string {
  return listenHost === undefined || ['0.0.0.0', '::'].includes(listenHost) ? '127.0.0.1' : listenHost
}
