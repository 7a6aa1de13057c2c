import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { MAX_MESSAGE_FILES } from '@foyer/protocol/limits'
import type { FastifyContextConfig } from 'fastify'
import type { Config } from '#src/config.ts'
import type { App } from '#src/kernel/http/types.ts'
import { completeDocument, ROUTE_FACTS } from './document.ts'
import { gatewayGuide } from './gateway-guide.ts'
import { anyError } from './operation-errors.ts'
import { PreparedDocument } from './prepared-document.ts'

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The access token of a login' },
  session: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Session-Token',
    description: 'The session token of the same login',
  },
  bot: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Bot <token>`' },
} as const

const people = { bearer: [], session: [] }
const securityOf = { public: [], human: [people], any: [people, { bot: [] }] }

/** Swagger's pages have inline styles. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"

/**
 * Delay before the document is built ahead of any request. Building blocks the event loop for a tenth of a second, so
 * the clients of the previous process must resume first. They wait up to 30 s between attempts.
 */
const PREPARED_AFTER_MS = 60_000

/** Paths of the document, with their content types. Both serve the same text, because JSON is valid YAML. */
const DOCUMENT_TYPES: Record<string, string> = {
  '/api/docs/json': 'application/json; charset=utf-8',
  '/api/docs/yaml': 'application/x-yaml',
}

/**
 * Serves the API reference at /api/docs, made from the schemas that validate requests and serialize answers. Registered
 * before the routes that it describes.
 */
export async function referenceRoutes(
  app: App,
  { version, publicUrl }: Pick<Config, 'version' | 'publicUrl'>,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Foyer',
        version,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl ?? '/', description: 'This server' }],
      components: { securitySchemes },
    },
    transform: ({ schema, url, route }) => ({
      url,
      schema: {
        ...schema,
        ...(url === '/api/gateway' ? { description: gatewayGuide } : {}),
        ...bodiesOf(schema, route.config),
        security: securityOf[route.config?.access ?? 'any'],
        response: { ...responsesOf(schema), default: anyError },
        [ROUTE_FACTS]: { access: route.config?.access ?? 'any', hasForm: route.config?.form !== undefined },
      },
    }),
    transformObject: completeDocument,
  })
  const document = new PreparedDocument(() => JSON.stringify(app.swagger()))
  const preparation = setTimeout(() => document.prepare().catch(() => undefined), PREPARED_AFTER_MS).unref()
  app.addHook('onClose', async () => clearTimeout(preparation))
  await app.register(async (pages) => {
    pages.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' }
      const type = DOCUMENT_TYPES[route.url]
      if (type === undefined) return
      route.config.limits = ['apiDocument']
      route.handler = (request, reply) => document.send(request, reply.type(type))
    })
    pages.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', CONTENT_SECURITY_POLICY)
    })
    await pages.register(swaggerUi, {
      routePrefix: '/api/docs',
      // The base layout omits Swagger's bar, which asks for another document's address.
      uiConfig: { docExpansion: 'none', filter: true, layout: 'BaseLayout' },
    })
  })
}

interface BodySchema {
  body?: unknown
  summary?: string
}

type BodyKinds = Pick<FastifyContextConfig, 'form' | 'file'>

/** Returns bodies by type, titled by the route, so that generated clients have types for them. */
function bodiesOf({ body, summary = '' }: BodySchema = {}, { form, file }: BodyKinds = {}): object {
  const name = summary.replaceAll(/\W(\w)/g, (_all, letter: string) => letter.toUpperCase())
  const titled = typeof body === 'object' ? { title: `${name}Body`, ...body } : undefined
  if (file !== undefined)
    return { body: { content: { [file]: { schema: { ...ONE_FILE, contentMediaType: file } } } } }
  if (form === undefined) return titled === undefined ? {} : { body: titled }
  const files = form.files.map((field) => [field, field === 'files' ? MANY_FILES : ONE_FILE])
  const properties = { ...form.texts.properties, ...Object.fromEntries(files) }
  const json = titled === undefined ? {} : { 'application/json': { schema: titled } }
  const schema = { ...form.texts, title: `${name}Form`, properties }
  return { body: { content: { ...json, 'multipart/form-data': { schema } } } }
}

/** OpenAPI 3.1 marks files by `contentMediaType`; generators still look at `format`. */
const ONE_FILE = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' }
const MANY_FILES = { type: 'array', items: ONE_FILE, maxItems: MAX_MESSAGE_FILES }

function responsesOf(schema: { response?: unknown } | undefined): object {
  return typeof schema?.response === 'object' && schema.response !== null ? schema.response : {}
}

const DESCRIPTION = `People send the access token and the session token of the same login. Bots send their bot token.

Errors are \`{"error": "<message>"}\`. The header \`X-Error-Code\` has a code that does not change. Every response has
an \`X-Request-Id\`. The headers \`X-RateLimit-Limit\`, \`-Remaining\`, \`-Reset\` and \`-Reset-After\` describe the rate
limits. A request over a limit is answered with 429 and \`Retry-After\`.

Live events are sent over a WebSocket: see Get Gateway.`
