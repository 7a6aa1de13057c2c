import { MAX_UPLOAD_BYTES } from '@foyer/protocol/limits'
import { type Static, Type } from 'typebox'
import { SERVICES } from './kernel/services.ts'

const GIB = 1024 ** 3

/** All environment settings with type, default and description. The README's table is made from this. */
export const Settings = Type.Object({
  PORT: Type.Integer({
    default: 8080,
    minimum: 0,
    maximum: 65535,
    description: 'TCP port to listen on; 0 takes a free one',
  }),
  HOST: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'Address to listen on; 0.0.0.0 for all',
  }),
  DATA_DIR: Type.String({
    default: './data',
    minLength: 1,
    description: 'Folder for the database, files, mails and secrets',
  }),
  PUBLIC_URL: Type.String({
    default: '',
    description:
      'Address that people use, like https://chat.example.org; by default the one that is listened on',
  }),
  DATABASE_URL: Type.String({
    default: '',
    description: 'PostgreSQL 15 or newer; without it one is started in DATA_DIR',
  }),
  DATABASE_POOLING: Type.Enum(['none', 'session', 'transaction'], {
    default: 'none',
    description:
      'How the PgBouncer at DATABASE_URL pools, if one is there; transaction needs DIRECT_DATABASE_URL',
  }),
  DIRECT_DATABASE_URL: Type.String({
    default: '',
    description: 'PostgreSQL itself, for migrations, jobs and indexing, where DATABASE_URL is a PgBouncer',
  }),
  READ_DATABASE_URL: Type.String({
    default: '',
    description:
      'A standby of DATABASE_URL, on which history and search are read as long as it has all that is committed',
  }),
  VALKEY_URL: Type.String({
    default: '',
    description:
      'Valkey or Redis 7 or newer, like redis://host:6379 or rediss:// with TLS, that joins several processes; they also share DATABASE_URL and SECRET_KEY. Several addresses, separated by commas, are servers of one cluster',
  }),
  SERVICES: Type.String({
    default: SERVICES.join(','),
    description:
      'What this process does, like `--services=` on the command line, which goes before: `api` answers requests, `gateway` holds WebSockets, `jobs` works behind both, `voice` carries voice; fewer than all need VALKEY_URL',
  }),
  SMTP_URL: Type.String({
    default: '',
    description:
      'Mail server, like smtp://user:password@host:587; without it mails go to the log and to DATA_DIR/mailbox',
  }),
  MAIL_FROM: Type.String({
    default: 'Foyer <foyer@localhost>',
    minLength: 3,
    description: 'Sender of mails; its name is what the server calls itself in them',
  }),
  INCLUDED_STORAGE_BYTES: Type.Integer({
    default: 5 * GIB,
    minimum: 0,
    description: "What a space may add of the server's own storage as a bucket, in bytes; 0 turns it off",
  }),
  DEFAULT_STORAGE_BYTES: Type.Integer({
    default: GIB,
    minimum: 0,
    description:
      "What each space without a bucket, and each user, may keep in the server's own storage, in bytes; 0 for no limit",
  }),
  OWNER_STORAGE_BYTES: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        "What all spaces of one owner together may keep in the server's own storage, in bytes; 0 for no limit; by default five times INCLUDED_STORAGE_BYTES and DEFAULT_STORAGE_BYTES together, or no limit where DEFAULT_STORAGE_BYTES is 0",
    }),
  ),
  UPLOAD_LIMIT_BYTES: Type.Integer({
    default: GIB,
    minimum: 1,
    maximum: MAX_UPLOAD_BYTES,
    description: "The largest file in the server's own storage, in bytes",
  }),
  MIN_FREE_DISK_BYTES: Type.Integer({
    default: GIB,
    minimum: 0,
    description:
      'What stays free on the disk of DATA_DIR, in bytes: uploads that would leave less are refused, since the database needs room; 0 turns it off',
  }),
  S3_ENDPOINT: Type.String({
    default: '',
    description:
      "S3-compatible object storage for the server's own files, like https://s3.example.org; without it they are in DATA_DIR/files",
  }),
  S3_REGION: Type.String({ default: 'us-east-1', minLength: 1, description: 'Its region' }),
  S3_BUCKET: Type.String({ default: '', description: 'Its bucket' }),
  S3_ACCESS_KEY_ID: Type.String({ default: '', description: 'Its access key' }),
  S3_SECRET_ACCESS_KEY: Type.String({ default: '', description: 'Its secret key' }),
  S3_USE_PATH_STYLE: Type.Enum(['true', 'false'], {
    default: 'true',
    description: 'Whether the bucket is named in the path, or else in the host name',
  }),
  ALLOWED_PRIVATE_HOSTS: Type.String({
    default: '',
    description:
      'Hosts, addresses or ranges of private networks, separated by commas, each with `:port` or for all ports, that storage buckets and links may name',
  }),
  LINK_PREVIEWS: Type.Enum(['on', 'off'], {
    default: 'on',
    description: 'Whether the server looks at what links in messages lead to, and shows it',
  }),
  VOICE_ENGINE: Type.Enum(['embedded', 'livekit'], {
    default: 'embedded',
    description: 'What carries voice: processes of this server, or the LiveKit at LIVEKIT_URL',
  }),
  VOICE_PORT: Type.Integer({
    default: 7882,
    minimum: 0,
    maximum: 65535,
    description: 'UDP port of voice, to be open to everybody; 0 takes a free one',
  }),
  VOICE_PROCESSES: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 64,
    description:
      'Processes that forward voice, each with a port of its own from VOICE_PORT on; they start with the first join',
  }),
  PUBLIC_IP: Type.String({
    default: '',
    description:
      "Address under which people reach voice, where it is not the machine's own, as behind a router; several are separated by commas",
  }),
  VOICE_ICE_SERVERS: Type.String({
    default: '',
    description:
      'STUN and TURN servers for voice, separated by commas, like stun:turn.example.org:3478,turn:turn.example.org:3478',
  }),
  TURN_SECRET: Type.String({
    default: '',
    description: "What the TURN servers share with this one: coturn's static-auth-secret",
  }),
  VOICE_ROOM_LIMIT: Type.Integer({
    default: 100,
    minimum: 1,
    description: 'How many people a voice room takes',
  }),
  LIVEKIT_URL: Type.String({
    default: '',
    description: 'LiveKit, for VOICE_ENGINE=livekit, as clients reach it, like wss://livekit.example.org',
  }),
  LIVEKIT_API_KEY: Type.String({ default: '', description: 'Its API key' }),
  LIVEKIT_API_SECRET: Type.String({ default: '', description: 'Its API secret' }),
  SECRET_KEY: Type.String({
    default: '',
    description:
      'At least 32 characters from which all keys are derived; without it one is made and kept in DATA_DIR',
  }),
  TRUSTED_PROXIES: Type.String({
    default: '',
    description: 'Addresses or ranges, separated by commas, whose X-Forwarded-For is believed',
  }),
  RATE_LIMITS: Type.Enum(['on', 'off'], {
    default: 'on',
    description: 'Limits of requests and connections, also for want of time; off for benchmarks and tests',
  }),
  GATEWAY_BACKLOG_BYTES: Type.Integer({
    default: 0,
    minimum: 0,
    description:
      'What a process keeps at the most for gateway clients that have not read it yet, in bytes; 0 for an eighth of the memory, up to 2 GiB',
  }),
  METRICS_TOKEN: Type.String({
    default: '',
    description:
      'Bearer token for /metrics; without it only this machine may read them, and nobody where PUBLIC_URL is set',
  }),
  LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
    default: 'info',
    description: 'What to log',
  }),
})
export type Settings = Static<typeof Settings>
