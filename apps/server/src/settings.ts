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
    description: 'Public address, like https://chat.example.org; default: the address it listens on',
  }),
  DATABASE_URL: Type.String({
    default: '',
    description: 'PostgreSQL 15 or newer; without it, an embedded one runs in DATA_DIR',
  }),
  DATABASE_POOLING: Type.Enum(['none', 'session', 'transaction'], {
    default: 'none',
    description: 'Pooling mode of a PgBouncer at DATABASE_URL; transaction needs DIRECT_DATABASE_URL',
  }),
  DIRECT_DATABASE_URL: Type.String({
    default: '',
    description: 'PostgreSQL itself, for migrations, jobs and indexing, if DATABASE_URL is a PgBouncer',
  }),
  READ_DATABASE_URL: Type.String({
    default: '',
    description:
      'Standby of DATABASE_URL that serves history and search while it has everything that is committed',
  }),
  VALKEY_URL: Type.String({
    default: '',
    description:
      'Valkey or Redis 7 or newer that joins several processes, like redis://host:6379, or rediss:// with TLS; the processes also share DATABASE_URL and SECRET_KEY. Separate the servers of a cluster with commas',
  }),
  SERVICES: Type.String({
    default: SERVICES.join(','),
    description:
      'Services of this process; `--services=` on the command line takes precedence: `api` answers requests, `gateway` holds WebSockets, `jobs` does background work, `voice` carries voice; fewer than all need VALKEY_URL',
  }),
  SMTP_URL: Type.String({
    default: '',
    description:
      'Mail server, like smtp://user:password@host:587; without it, mails go to the log and to DATA_DIR/mailbox',
  }),
  MAIL_FROM: Type.String({
    default: 'Foyer <foyer@localhost>',
    minLength: 3,
    description: 'Sender of mails; mails use its name for the server',
  }),
  INCLUDED_STORAGE_BYTES: Type.Integer({
    default: 5 * GIB,
    minimum: 0,
    description:
      "Size in bytes of the bucket that a space may add from the server's own storage; 0 turns it off",
  }),
  DEFAULT_STORAGE_BYTES: Type.Integer({
    default: GIB,
    minimum: 0,
    description:
      "Limit in bytes of each space without a bucket, and of each user, in the server's own storage; 0 for no limit",
  }),
  OWNER_STORAGE_BYTES: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        "Limit in bytes of all spaces of one owner together in the server's own storage; 0 for no limit; default: five times the sum of INCLUDED_STORAGE_BYTES and DEFAULT_STORAGE_BYTES, or no limit if DEFAULT_STORAGE_BYTES is 0",
    }),
  ),
  UPLOAD_LIMIT_BYTES: Type.Integer({
    default: GIB,
    minimum: 1,
    maximum: MAX_UPLOAD_BYTES,
    description: "Largest file in the server's own storage, in bytes",
  }),
  MIN_FREE_DISK_BYTES: Type.Integer({
    default: GIB,
    minimum: 0,
    description:
      'Space in bytes kept free for the database on the disk of DATA_DIR: uploads that would leave less are refused; 0 turns it off',
  }),
  S3_ENDPOINT: Type.String({
    default: '',
    description:
      "S3-compatible object storage for the server's own files, like https://s3.example.org; without it, they are in DATA_DIR/files",
  }),
  S3_REGION: Type.String({ default: 'us-east-1', minLength: 1, description: 'Its region' }),
  S3_BUCKET: Type.String({ default: '', description: 'Its bucket' }),
  S3_ACCESS_KEY_ID: Type.String({ default: '', description: 'Its access key' }),
  S3_SECRET_ACCESS_KEY: Type.String({ default: '', description: 'Its secret key' }),
  S3_USE_PATH_STYLE: Type.Enum(['true', 'false'], {
    default: 'true',
    description: '`true` names the bucket in the path, `false` in the host name',
  }),
  ALLOWED_PRIVATE_HOSTS: Type.String({
    default: '',
    description:
      'Hosts, addresses or ranges of private networks that storage buckets and links may use, separated by commas, each with `:port` or for all ports',
  }),
  LINK_PREVIEWS: Type.Enum(['on', 'off'], {
    default: 'on',
    description: 'Previews of the links in messages',
  }),
  VOICE_ENGINE: Type.Enum(['embedded', 'livekit'], {
    default: 'embedded',
    description: 'Engine for voice: processes of this server, or the LiveKit at LIVEKIT_URL',
  }),
  VOICE_PORT: Type.Integer({
    default: 7882,
    minimum: 0,
    maximum: 65535,
    description: 'UDP port for voice, to be opened for everyone; 0 takes a free one',
  }),
  VOICE_PROCESSES: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 64,
    description:
      'Processes that forward voice, each on a port of its own from VOICE_PORT on; they start with the first join',
  }),
  PUBLIC_IP: Type.String({
    default: '',
    description:
      "Public address for voice if it is not the machine's own, as behind a router; separate several with commas",
  }),
  VOICE_ICE_SERVERS: Type.String({
    default: '',
    description:
      'STUN and TURN servers for voice, separated by commas, like stun:turn.example.org:3478,turn:turn.example.org:3478',
  }),
  TURN_SECRET: Type.String({
    default: '',
    description: "Secret shared with the TURN servers: coturn's static-auth-secret",
  }),
  VOICE_ROOM_LIMIT: Type.Integer({
    default: 100,
    minimum: 1,
    description: 'Limit of people in a voice room',
  }),
  LIVEKIT_URL: Type.String({
    default: '',
    description: 'Address of LiveKit for clients, for VOICE_ENGINE=livekit, like wss://livekit.example.org',
  }),
  LIVEKIT_API_KEY: Type.String({ default: '', description: 'Its API key' }),
  LIVEKIT_API_SECRET: Type.String({ default: '', description: 'Its API secret' }),
  SECRET_KEY: Type.String({
    default: '',
    description:
      'At least 32 characters from which all keys are derived; without it, one is generated and stored in DATA_DIR',
  }),
  TRUSTED_PROXIES: Type.String({
    default: '',
    description: 'Addresses or ranges of proxies whose X-Forwarded-For is trusted, separated by commas',
  }),
  RATE_LIMITS: Type.Enum(['on', 'off'], {
    default: 'on',
    description: 'Limits of requests and connections, also under overload; off for benchmarks and tests',
  }),
  GATEWAY_BACKLOG_BYTES: Type.Integer({
    default: 0,
    minimum: 0,
    description:
      'Limit in bytes of data that a process queues for slow gateway clients; 0 for an eighth of the memory, up to 2 GiB',
  }),
  METRICS_TOKEN: Type.String({
    default: '',
    description:
      'Bearer token for /metrics; without it, only this machine may read them, and no one if PUBLIC_URL is set',
  }),
  LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
    default: 'info',
    description: 'Lowest level to log',
  }),
})
export type Settings = Static<typeof Settings>
