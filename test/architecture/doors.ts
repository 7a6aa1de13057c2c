import { type Rule, sourceRule } from './rule.ts'
import { isTest, type Node, type Source, violationAt } from './source.ts'

const ENVIRONMENT_DOOR = 'apps/server/src/config.ts'
const PUBLISHING_DOORS = [
  /^apps\/server\/src\/(.+\/)?actions[^/]*\//,
  /^apps\/server\/src\/(.+\/)?actions[^/]*\.ts$/,
  /^apps\/server\/src\/kernel\//,
  /^apps\/server\/src\/messages\/writer\//,
]

export const environment = sourceRule('only config.ts reads the environment', (source) => {
  const watched = /^(apps\/server\/src|packages)\//.test(source.path) && source.path !== ENVIRONMENT_DOOR
  if (!watched || isTest(source.path)) return []
  return complaints(
    source,
    readsEnvironment,
    `take it as an argument: only ${ENVIRONMENT_DOOR} reads the environment`,
  )
})

export const publishing = sourceRule('only actions, the kernel and the message writer publish', (source) => {
  const watched = source.path.startsWith('apps/server/src/') && !isTest(source.path)
  if (!watched || PUBLISHING_DOORS.some((door) => door.test(source.path))) return []
  return complaints(
    source,
    publishes,
    'call an action: only actions, the kernel and the message writer publish',
  )
})

/** Modules with exports that open connections: all except HARMLESS. For ws, the check for `new WebSocket` is enough. */
const CONNECTING_MODULES = /^(node:)?(http|https|http2|net|tls|dgram)$|^(undici|axios|got|node-fetch)(\/|$)/
const CONNECTING_GLOBALS = new Set(['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
const HARMLESS = new Set([
  'STATUS_CODES',
  'BlockList',
  'SocketAddress',
  'isIP',
  'isIPv4',
  'isIPv6',
  'WebSocketServer',
  // Exports for servers, which only listen and open no connections.
  'Server',
  'createServer',
  'createSecureContext',
])
const OUTGOING_DOOR = 'apps/server/src/kernel/outgoing/'
/**
 * The doctor, which operators run by hand, connects to the services they configured. Voice over TCP passes packets on to
 * the media process's own port, on the loopback address.
 */
const OUTGOING_DOORS = [
  OUTGOING_DOOR,
  'apps/server/src/operating/doctor/',
  'apps/server/src/voice/sfu/tcp/session-sockets.ts',
]

export const outgoing = sourceRule('only kernel/outgoing makes requests', (source) => {
  const watched =
    source.path.startsWith('apps/server/src/') && !OUTGOING_DOORS.some((door) => source.path.startsWith(door))
  if (!watched || isTest(source.path)) return []
  return complaints(source, connects, `take an Outgoing as an argument: only ${OUTGOING_DOOR} makes requests`)
})

export const doorRules: readonly Rule[] = [environment, publishing, outgoing]

function complaints(source: Source, isWrong: (node: Node) => boolean, message: string) {
  return source.places
    .filter(({ node }) => isWrong(node))
    .map(({ node }) => violationAt(source, node, message))
}

/** Matches `process.env`, `globalThis.process.env`, `const { env } = process`, `import { env } from 'node:process'`. */
function readsEnvironment(node: Node): boolean {
  if (node.type === 'MemberExpression') return isProcess(node.object) && propertyName(node) === 'env'
  if (node.type === 'VariableDeclarator') {
    return (
      node.init !== null &&
      isProcess(node.init) &&
      node.id.type === 'ObjectPattern' &&
      node.id.properties.some(takesEnv)
    )
  }
  return (
    node.type === 'ImportDeclaration' &&
    /^(node:)?process$/.test(node.source.value) &&
    node.specifiers.some(takesEnv)
  )
}

function takesEnv(part: Node): boolean {
  if (part.type === 'ImportSpecifier')
    return part.imported.type === 'Identifier' && part.imported.name === 'env'
  return part.type === 'Property' && part.key.type === 'Identifier' && part.key.name === 'env'
}

function isProcess(node: Node): boolean {
  if (node.type === 'MemberExpression') return propertyName(node) === 'process'
  return node.type === 'Identifier' && node.name === 'process'
}

function publishes(node: Node): boolean {
  if (node.type !== 'CallExpression') return false
  if (node.callee.type === 'MemberExpression') return propertyName(node.callee) === 'publish'
  return node.callee.type === 'Identifier' && node.callee.name === 'publish'
}

/** Matches `fetch(…)`, `globalThis.fetch`, `new WebSocket(…)`, `import { request } from 'node:http'`, `import('undici')`. */
function connects(node: Node): boolean {
  if (node.type === 'CallExpression' || node.type === 'NewExpression') return isConnectingGlobal(node.callee)
  if (node.type === 'MemberExpression')
    return isGlobal(node.object) && CONNECTING_GLOBALS.has(propertyName(node) ?? '')
  if (node.type === 'ImportExpression')
    return node.source.type === 'Literal' && CONNECTING_MODULES.test(String(node.source.value))
  if (node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration')
    return node.exportKind !== 'type' && CONNECTING_MODULES.test(node.source?.value ?? '')
  if (node.type !== 'ImportDeclaration' || node.importKind === 'type') return false
  const { specifiers, source } = node
  return CONNECTING_MODULES.test(source.value) && (specifiers.length === 0 || specifiers.some(isConnecting))
}

function isConnectingGlobal(node: Node): boolean {
  return node.type === 'Identifier' && CONNECTING_GLOBALS.has(node.name)
}

function isGlobal(node: Node): boolean {
  return node.type === 'Identifier' && (node.name === 'globalThis' || node.name === 'global')
}

/** A default or namespace import includes everything. */
function isConnecting(specifier: Node): boolean {
  if (specifier.type !== 'ImportSpecifier') return true
  if (specifier.importKind === 'type') return false
  return specifier.imported.type !== 'Identifier' || !HARMLESS.has(specifier.imported.name)
}

function propertyName({ property }: Extract<Node, { type: 'MemberExpression' }>): string | undefined {
  if (property.type === 'Identifier') return property.name
  return property.type === 'Literal' ? String(property.value) : undefined
}
