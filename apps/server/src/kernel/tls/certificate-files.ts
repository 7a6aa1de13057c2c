import { readFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Front } from './front.ts'
import { type CheckedPair, checkPair, coversHost, isTimely } from './pair.ts'
import type { FileTls } from './settings.ts'

/** Interval at which the files are checked for changes. */
const CHECK_MS = 10_000

interface FileDeps {
  settings: FileTls
  log: Logger
}

/** The operator's own certificate, read again when its files change. */
export class CertificateFiles {
  readonly #settings: FileTls
  readonly #log: Logger
  #used: CheckedPair | undefined
  #refused = ''
  #timer: NodeJS.Timeout | undefined

  constructor({ settings, log }: FileDeps) {
    this.#settings = settings
    this.#log = log
  }

  /**
   * Gives the server the certificate.
   * @throws Error with a sentence for the operator if the files cannot be used
   */
  async start(front: Front): Promise<void> {
    this.#use(front, await readFiles(this.#settings))
    this.#timer = setInterval(() => void this.reload(front), CHECK_MS).unref()
  }

  /** Reads the files again. If they cannot be used, the former certificate stays. */
  async reload(front: Front): Promise<void> {
    try {
      const pair = await readFiles(this.#settings)
      this.#refused = ''
      if (pair.chain !== this.#used?.chain || pair.key !== this.#used.key) this.#use(front, pair)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (reason !== this.#refused) this.#log.error(`${reason}: the former certificate stays in use`)
      this.#refused = reason
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #use(front: Front, pair: CheckedPair): void {
    const { certificate, host } = this.#settings
    front.use(pair)
    this.#used = pair
    const until = new Date(pair.endsAt).toISOString()
    if (isTimely(pair, Date.now()))
      this.#log.info(`HTTPS uses TLS_CERT (${certificate}), valid until ${until}`)
    else
      this.#log.error(`TLS_CERT (${certificate}) is not valid now, only ${timesOf(pair)}: browsers refuse it`)
    if (!coversHost(pair.certificate, host))
      this.#log.error(`TLS_CERT (${certificate}) is not valid for ${host}, the host of PUBLIC_URL`)
  }
}

/** @throws Error that names the setting and the file */
export async function readFiles({
  certificate,
  key,
}: Pick<FileTls, 'certificate' | 'key'>): Promise<CheckedPair> {
  const names = { chain: `TLS_CERT (${certificate})`, key: `TLS_KEY (${key})` }
  const pair = {
    chain: await readNamed(certificate, names.chain),
    key: await readNamed(key, names.key),
  }
  return checkPair(pair, names)
}

async function readNamed(path: string, name: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new Error(`${name} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

function timesOf({ startsAt, endsAt }: CheckedPair): string {
  return `from ${new Date(startsAt).toISOString()} to ${new Date(endsAt).toISOString()}`
}
