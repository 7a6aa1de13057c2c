import { STATUS_CODES } from 'node:http'
import { ErrorBody } from '@foyer/protocol/errors'
import { type ErrorCode, errors } from '#src/kernel/errors.ts'
import { ownErrors } from './own-errors.ts'
import type { Node } from './shapes.ts'

/** Facts about a route that decide most of its errors. */
export interface RouteFacts {
  name: string
  /** Names of the route's path parameters. */
  parameters: readonly string[]
  access: 'public' | 'human' | 'any'
  hasBody: boolean
  hasForm: boolean
}

/** Errors by path parameter. */
const ofParameter: Readonly<Record<string, readonly ErrorCode[]>> = {
  spaceId: ['not_a_member'],
  roomId: ['unknown_room', 'not_a_member', 'missing_permission'],
  conversationId: ['unknown_conversation', 'blocked_conversation', 'missing_permission'],
  threadId: ['unknown_thread', 'not_a_member', 'missing_permission'],
  messageId: ['unknown_message'],
  webhookId: ['unknown_webhook'],
  bucketId: ['unknown_bucket'],
  attachmentId: ['unknown_attachment'],
  interactionId: ['unknown_interaction'],
  appId: ['unknown_application'],
}

/** Errors that any request can get. */
const always: readonly ErrorCode[] = [
  'invalid_request',
  'malformed_request',
  'internal',
  'unavailable',
  'timeout',
]

const withBody: readonly ErrorCode[] = [
  'invalid_json',
  'body_unreadable',
  'request_timeout',
  'body_too_large',
  'compressed_body',
]
const withForm: readonly ErrorCode[] = ['invalid_multipart', 'disk_full']

/** Returns the error responses of a route, by status. Routes with the same errors share an entry in `components`. */
export function errorResponses(facts: RouteFacts, components: Map<string, Node>): Node {
  const byStatus = Map.groupBy([...new Set(codesOf(facts))].toSorted(), (code) => errors[code].status)
  const statuses = [...byStatus].toSorted(([one], [other]) => one - other)
  return Object.fromEntries(
    statuses.map(([status, codes]) => {
      const name = `Error${status}.${codes.join('.')}`
      if (!components.has(name)) components.set(name, responseOf(status, codes))
      return [String(status), { $ref: `#/components/responses/${name}` }]
    }),
  )
}

function codesOf(facts: RouteFacts): ErrorCode[] {
  const { access } = facts
  const codes: ErrorCode[] = [
    ...always,
    ...(access === 'public' ? [] : (['authentication_required', 'second_factor_needed'] as const)),
    ...(access === 'human' ? (['bots_not_allowed'] as const) : []),
    'rate_limited',
    ...(facts.hasBody || facts.hasForm ? withBody : []),
    ...(facts.hasForm ? withForm : []),
    ...facts.parameters.flatMap((name) => ofParameter[name] ?? []),
    ...ownErrors(facts.name),
  ]
  // A right may be missing because the member is timed out or the space is frozen.
  return codes.includes('missing_permission') ? [...codes, 'timed_out', 'space_frozen'] : codes
}

function responseOf(status: number, codes: readonly ErrorCode[]): Node {
  const examples = codes.map((code) => [code, { value: { error: errors[code].message } }])
  return {
    description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    headers: {
      'X-Error-Code': { required: true, schema: { type: 'string', enum: [...codes] } },
      ...(status === 429 ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } : {}),
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

/** Headers of many answers. */
export const headerComponents = {
  'Retry-After': {
    description: 'Seconds to wait before trying again; omitted after too many failed logins',
    schema: { type: 'integer', minimum: 1 },
  },
}

/** The response for errors that no route makes, such as those of a proxy. */
export const anyError = { description: 'Any other error', ...ErrorBody }
