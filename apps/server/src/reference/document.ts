import { STATUS_CODES } from 'node:http'
import type { SwaggerTransformObject } from '@fastify/swagger'
import { Examples } from './examples.ts'
import { eventsShape } from './gateway-guide.ts'
import { errorResponses, headerComponents } from './operation-errors.ts'
import { operationName } from './operation-names.ts'
import { isNode, type Node, Shapes } from './shapes.ts'
import { tagList } from './tags.ts'

/** Key under which a route passes facts that its schema lacks to `completeDocument`. */
export const ROUTE_FACTS = 'x-route'

/** Media types of answers that are not JSON, by operation name. */
const answerTypes: Readonly<Record<string, string>> = {
  'auditLog.export': 'application/jsonl',
  'instance.metrics': 'text/plain',
  'attachments.download': 'application/octet-stream',
  'attachments.proxyVideo': 'application/octet-stream',
  'webhooks.executeAsSlack': 'text/plain',
}

/** Completes the generated document: titled shapes move to `components`, operations get names, errors and examples. */
export const completeDocument: SwaggerTransformObject = (given) => {
  const whole = 'openapiObject' in given ? given.openapiObject : given.swaggerObject
  const document: object = whole
  const { paths = {}, components = {} }: { paths?: object; components?: object } = document
  const shapes = new Shapes()
  shapes.tidyFields(paths)
  const events = shapes.tidied(eventsShape())
  const examples = new Examples(shapes.named)
  const responses = new Map<string, Node>()
  const tags = operationsIn(paths).map(({ method, path, operation }) => {
    const name = operationName(method, path, operation)
    complete(operation, { name, path, examples, responses })
    return String([operation.tags].flat()[0])
  })
  for (const [title, shape] of shapes.named) shape.examples = [examples.of(shape, title)]
  const schemas = { ...Object.fromEntries(shapes.named), Events: events }
  Object.assign(document, {
    tags: tagList(tags),
    components: {
      ...components,
      schemas,
      responses: Object.fromEntries(responses),
      headers: headerComponents,
    },
  })
  return whole
}

function operationsIn(paths: object): { method: string; path: string; operation: Node }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      isNode(operation) ? [{ method: method.toUpperCase(), path, operation }] : [],
    ),
  )
}

interface Completion {
  name: string
  path: string
  examples: Examples
  responses: Map<string, Node>
}

function complete(operation: Node, { name, path, examples, responses }: Completion): void {
  const { [ROUTE_FACTS]: facts, requestBody, responses: given } = operation
  delete operation[ROUTE_FACTS]
  const { default: anyError, ...answers } = isNode(given) ? given : {}
  describeAnswers(name, answers)
  const route = {
    name,
    parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter),
    hasBody: requestBody !== undefined,
    ...(isNode(facts) ? facts : {}),
  }
  const errors = errorResponses({ access: 'any', hasForm: false, ...route }, responses)
  Object.assign(operation, {
    operationId: name,
    responses: { ...answers, ...errors, ...ownShapes(answers, errors, responses), default: anyError },
  })
  addBodyExamples(requestBody, examples)
}

/** Returns the error responses whose body the route defines itself, with the generated description of all their codes. */
function ownShapes(answers: Node, errors: Node, responses: Map<string, Node>): Node {
  const written = Object.entries(answers).flatMap(([status, answer]) => {
    const error = errors[status]
    if (!isNode(error) || !isNode(answer)) return []
    const known = responses.get(String(error.$ref).split('/').at(-1) ?? '')
    return [[status, { ...known, content: answer.content }]]
  })
  return Object.fromEntries(written)
}

/** Describes answers as JSON unless they have another type. */
function describeAnswers(name: string, answers: Node): void {
  const type = answerTypes[name]
  for (const [status, answer] of Object.entries(answers)) {
    if (!isNode(answer)) continue
    if (answer.description === 'Default Response') answer.description = STATUS_CODES[Number(status)] ?? status
    if (type === undefined || !isNode(answer.content)) continue
    answer.content = { [type]: { schema: { type: 'string' } } }
  }
}

function addBodyExamples(requestBody: unknown, examples: Examples): void {
  const content = isNode(requestBody) && isNode(requestBody.content) ? requestBody.content : {}
  const json = content['application/json']
  if (isNode(json)) json.example = examples.of(json.schema)
}
