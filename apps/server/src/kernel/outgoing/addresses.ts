import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * IPv4 ranges outside the public internet: IANA's special-purpose registry, multicast, class E, and the address at
 * which Azure's virtual machines reach their host.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** The only public IPv6 range. */
const GLOBAL_IPV6 = ['2000::/3']
/**
 * Exceptions within that range: protocol assignments (including Teredo, benchmarking and ORCHID), documentation, and
 * 6to4, which can embed any IPv4 address.
 */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']
/** IPv6-only networks reach IPv4 through these prefixes, so the embedded address is checked. */
const NAT64_IPV6 = ['64:ff9b::/96']

const special = blockListOf([...SPECIAL_IPV4, ...SPECIAL_IPV6])
const global = blockListOf(GLOBAL_IPV6)
const nat64 = blockListOf(NAT64_IPV6)

/** Returns the addresses and ranges as one set. */
export function blockListOf(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const { address, bits, family } = rangeIn(entry)
    list.addSubnet(address, bits, family)
  }
  return list
}

/** Returns whether the entry is an IPv4 or IPv6 address or range. */
export function isAddressOrRange(entry: string): boolean {
  return /^[^/]+(\/\d{1,3})?$/.test(entry) && !entry.includes('%') && isRange(rangeIn(entry))
}

/** Returns whether the set contains the address, IPv4 or IPv6 in any spelling. */
export function holds(list: BlockList, address: string): boolean {
  const plain = plainAddress(address)
  return plain !== undefined && list.check(plain, familyOf(plain))
}

/** Returns whether the address is on the public internet, as far as an address shows. */
export function isPublic(address: string): boolean {
  const plain = plainAddress(address)
  if (plain === undefined || holds(special, plain)) return false
  if (familyOf(plain) === 'ipv4') return true
  return holds(nat64, plain) ? isPublic(embeddedIpv4(plain)) : holds(global, plain)
}

/**
 * Returns the usual spelling, with IPv4-mapped IPv6 as IPv4; undefined for an invalid address, and for an address with a
 * zone index.
 */
function plainAddress(address: string): string | undefined {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return undefined
  return family === 4 ? address : ipaddr.process(withoutDots(address)).toString()
}

/** Rewrites IPv6 without dots, because ipaddr.js treats any IPv6 with dots as IPv4-mapped. */
function withoutDots(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}

function embeddedIpv4(address: string): string {
  return ipaddr.parse(address).toByteArray().slice(-4).join('.')
}

interface Range {
  address: string
  bits: number
  family: 'ipv4' | 'ipv6'
}

function isRange({ address, bits, family }: Range): boolean {
  return isIP(address) !== 0 && bits <= bitsOf(family)
}

function rangeIn(entry: string): Range {
  const [address = '', bits] = entry.split('/')
  const family = familyOf(address)
  return { address, bits: bits === undefined ? bitsOf(family) : Number(bits), family }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

function bitsOf(family: 'ipv4' | 'ipv6'): number {
  return family === 'ipv6' ? 128 : 32
}
