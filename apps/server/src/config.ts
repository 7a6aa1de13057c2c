import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type StaticDecode, type TProperties, type TSchema, Type } from 'typebox'
import { Check, Convert, Decode, Errors } from 'typebox/value'
import { BackupSettings } from './kernel/backup-settings.ts'
import { type DescribedSetting, describeSettings } from './kernel/described-settings.ts'
import { SERVICES, type Service, servicesNamed } from './kernel/services.ts'
import { isSetting, listOf } from './kernel/setting-kinds.ts'
import { chooseTls, servedTls, type TlsSettings } from './kernel/tls/settings.ts'
import { announcedAddresses, isAllowedPlace, isAllowedPort, portsFrom } from './kernel/voice-addresses.ts'
import { Settings } from './settings.ts'

type Values = Omit<StaticDecode<typeof Settings>, 'https'>

export interface Config extends Omit<Values, 'ownerStorageBytes'> {
  /** Undefined for no limit. */
  ownerStorageBytes: number | undefined
  /** Undefined if the server does not serve HTTPS itself. */
  tls: TlsSettings | undefined
  /** All settings, for operators. */
  settings: readonly DescribedSetting[]
  version: string
}

/** An S3-compatible bucket with its credentials. */
export type S3Settings = NonNullable<Config['s3']>

/** The voice engine, and its addresses for clients. */
export type VoiceSettings = Config['voice']

/** The LiveKit that carries voice instead of the embedded engine. */
export type LiveKitSettings = NonNullable<VoiceSettings['livekit']>

/**
 * Reads the configuration from the environment. Called once.
 * @param args of the command line
 * @throws Error that names the invalid setting
 */
export function readConfig(
  environment: NodeJS.ProcessEnv = process.env,
  args: readonly string[] = [],
): Config {
  const { https, ...values } = Decode(Settings, read(Settings, environment))
  demandCompanions(values)
  demandVoiceAddresses(values.voice)
  const tls = chooseTls({ ...https, publicUrl: values.publicUrl }, environment)
  const named = servicesOf(args)
  const services = chooseServices(values, named)
  if (carriesVoice(values, services)) demandVoicePorts(values, servedTls({ tls, services }))
  return {
    ...values,
    settings: describeSettings(Settings, { environment, commandLine: { SERVICES: named } }),
    services,
    ownerStorageBytes: ownerStorageOf(values),
    tls,
    version: readVersion(),
  }
}

/**
 * Hides PGSSLMODE, PGOPTIONS and the like from the embedded database, which has no TLS and its own settings. With
 * DATABASE_URL they apply as usual.
 */
export function forgetPostgresVariables(environment: NodeJS.ProcessEnv = process.env): void {
  for (const name of Object.keys(environment)) if (name.startsWith('PG')) delete environment[name]
}

/** Reads a setting, or a group of them. An empty variable counts as unset. */
function read(schema: TSchema, environment: NodeJS.ProcessEnv): unknown {
  if (Type.IsObject(schema)) {
    const entries = Object.entries(schema.properties).map(([key, part]) => [key, read(part, environment)])
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  }
  if (!isSetting(schema)) return undefined
  const text = environment[schema.variable]
  if (text === undefined || text === '') return schema.default
  const value = Convert(schema, text)
  if (Check(schema, value)) return value
  throw new Error(`${schema.variable} ${Errors(schema, value)[0]?.message}`)
}

/** Refuses a setting that needs another setting, if the other one is missing. */
function demandCompanions(values: Values): void {
  // A transaction pooler does not support LISTEN, which jobs need.
  if (values.databasePooling === 'transaction' && values.directDatabaseUrl === undefined)
    throw new Error('DATABASE_POOLING=transaction needs DIRECT_DATABASE_URL')
  // Processes that share a Valkey must also share the database and the secret key.
  const { databaseUrl, secretKey } = Settings.properties
  const shared = Type.Object({ databaseUrl, secretKey })
  if (values.valkeyUrl !== undefined) demandAll('VALKEY_URL', shared, values)
  if (values.s3 !== undefined) demandAll('S3_ENDPOINT', Settings.properties.s3, values.s3)
  const { to, passphrase, keyFile, s3 } = values.backup
  if (to !== undefined && passphrase === undefined && keyFile === undefined)
    throw new Error('BACKUP_TO needs BACKUP_PASSPHRASE or BACKUP_KEY_FILE')
  if (s3 !== undefined) demandAll('BACKUP_S3_ENDPOINT', BackupSettings.properties.s3, s3)
  // Without any way to log in, the server would be unusable.
  if (!values.passwordLogin && values.oidcProviders.length === 0)
    throw new Error('PASSWORD_LOGIN=off needs OIDC_PROVIDERS')
  const { livekit } = values.voice
  if (livekit !== undefined)
    demandAll('VOICE_ENGINE=livekit', Settings.properties.voice.properties.livekit, livekit)
}

function demandAll(reason: string, { properties }: { properties: TProperties }, values: object): void {
  const missing = Object.entries(properties).find(([key]) => (Reflect.get(values, key) ?? '') === '')?.[1]
  if (missing !== undefined && isSetting(missing)) throw new Error(`${reason} needs ${missing.variable}`)
}

function demandVoiceAddresses({ port, processes, iceServers, turnSecret, livekit }: VoiceSettings): void {
  if (port + processes > 65_536)
    throw new Error('VOICE_PORT leaves too few ports above it for VOICE_PROCESSES')
  // Browsers refuse to start a call with a TURN server without credentials.
  if (turnSecret === undefined && iceServers.some((url) => url.startsWith('turn')))
    throw new Error('a TURN server in VOICE_ICE_SERVERS needs TURN_SECRET')
  if (livekit !== undefined && !(/^(ws|http)s?:\/\/[^/]/.test(livekit.url) && URL.canParse(livekit.url)))
    throw new Error('LIVEKIT_URL must be an address like wss://livekit.example.org')
}

/** Returns true if this process carries voice. Other processes open no port for it. */
function carriesVoice({ voice }: Values, services: readonly Service[]): boolean {
  return voice.livekit === undefined && services.includes('voice')
}

/** Refuses voice ports that browsers do not connect to, and a voice TCP port that the server already uses. */
function demandVoicePorts(values: Values, tls: TlsSettings | undefined): void {
  const { port, tcpPort, processes } = values.voice
  demandAllowed('VOICE_PORT', portsFrom(port, processes), values.voice)
  // By default, TCP uses the number of VOICE_PORT. If another program has that TCP port, voice uses UDP only.
  if (tcpPort === undefined || (tcpPort === port && port >= 1024)) return
  const ports = portsFrom(tcpPort, processes)
  demandAllowed('VOICE_TCP_PORT', ports, values.voice)
  const own = [values.port, tls?.httpsPort, tls?.httpPort]
  if (ports.some((each) => own.includes(each)))
    throw new Error('VOICE_TCP_PORT is a port that this server already uses: PORT, HTTPS_PORT or HTTP_PORT')
}

function demandAllowed(variable: string, ports: readonly number[], { publicIps }: VoiceSettings): void {
  if (ports.some((port) => port > 65_535 || !isAllowedPort(port)))
    throw new Error(
      `${variable} must be 80, 443 or from 1024 on, for each of VOICE_PROCESSES: browsers refuse other ports`,
    )
  if (ports.every((port) => port >= 1024)) return
  const addresses = announcedAddresses(publicIps)
  if (!ports.every((port) => addresses.some((address) => isAllowedPlace(address, port))))
    throw new Error(
      `${variable}=${ports[0]} needs a public address: browsers refuse 80 and 443 at private ones. Set PUBLIC_IP, or take a port from 1024 on`,
    )
}

function servicesOf(args: readonly string[]): string | undefined {
  const { values } = parseArgs({ args: [...args], options: { services: { type: 'string' } } })
  return values.services
}

function chooseServices({ services, valkeyUrl }: Values, named: string | undefined): Service[] {
  const [chosen, source] =
    named === undefined ? [services, 'SERVICES'] : [servicesNamed(listOf(named), '--services'), '--services']
  if (chosen.length < SERVICES.length && valkeyUrl === undefined)
    throw new Error(`VALKEY_URL is required unless ${source} names all of ${SERVICES.join(', ')}`)
  return chosen
}

/** Returns the bytes that all spaces of an owner may store: by default five times a space's limit; undefined for no limit. */
function ownerStorageOf(values: Values): number | undefined {
  const { ownerStorageBytes, includedStorageBytes, defaultStorageBytes } = values
  if (ownerStorageBytes !== undefined) return ownerStorageBytes === 0 ? undefined : ownerStorageBytes
  return defaultStorageBytes === undefined ? undefined : 5 * (includedStorageBytes + defaultStorageBytes)
}

function readVersion(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  return manifest.version
}
