import type { Config } from '#src/config.ts'
import { keptSecretKey } from '#src/kernel/secrets/secret-key.ts'
import { TokenSigner } from '#src/kernel/secrets/tokens.ts'
import { examineBackups } from './backups.ts'
import type { Finding } from './finding.ts'
import { examineHttps } from './https.ts'
import { examineInstallation, findServer } from './installation.ts'
import { examineProviders } from './sign-in.ts'
import { examineSnapshot } from './snapshot.ts'
import { type Exchange, examineVoice, exchangeWith } from './voice.ts'

const TOKEN_MS = 60_000

/** Looks at an installation from its own machine, whether its server runs or not. */
export async function runDoctor(config: Config): Promise<Finding[]> {
  const url = await findServer(config)
  const exchange = url === undefined ? undefined : await introduce(url, config)
  return [
    ...(await examineInstallation(config, url)),
    ...(await examineHttps(config.tls, url !== undefined)),
    await examineBackups(config),
    await examineSnapshot(config, url !== undefined),
    ...(await examineProviders(config)),
    ...(await examineVoice(config.voice, exchange)),
  ]
}

async function introduce(url: string, { secretKey, dataDir }: Config): Promise<Exchange> {
  const signer = new TokenSigner(secretKey ?? (await keptSecretKey(dataDir)))
  const ids = { userId: 'doctor', sessionId: 'doctor' }
  const expiresAt = Date.now() + TOKEN_MS
  return exchangeWith({ url, token: signer.sign({ kind: 'doctor', ...ids, generation: 0, expiresAt }) })
}
