import { isIPv4, isIPv6 } from 'node:net'
import { Address4, Address6 } from 'ip-address'
import type { UnplacedProblem } from './problem.ts'

/**
 * An address, or a block given by its first address. Leading zeros are refused, because some read 010.0.0.1 as
 * 8.0.0.1, and so are host bits, because it is not clear which block was meant.
 */
export const inCidr = (value: string): UnplacedProblem[] => {
  const [address = '', length, ...more] = value.split('/')
  const bits = isIPv4(address) ? 32 : isIPv6(address) && !address.includes('%') ? 128 : 0
  if (more.length > 0) return [{ code: 'not-an-address', facts: { value } }]
  if (bits === 0) return noAddress(value, address, length)
  if (length === undefined) return []
  if (!/^(0|[1-9]\d{0,2})$/.test(length) || Number(length) > bits)
    return [{ code: 'cidr-length', facts: { value, atMost: bits } }]
  const block = bits === 32 ? new Address4(value) : new Address6(value)
  const first = block.startAddress()
  if (first.bigInt() === block.bigInt()) return []
  const spelt = first instanceof Address6 && address.includes('.') ? first.to4in6() : first.correctForm()
  return [{ code: 'cidr-host-bits', facts: { value, network: `${spelt}/${length}` } }]
}

const noAddress = (value: string, address: string, length: string | undefined): UnplacedProblem[] => {
  const parts = address.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,8}$/.test(part)))
    return [{ code: 'not-an-address', facts: { value } }]
  const plain = parts.map(Number).join('.')
  if (!isIPv4(plain)) return [{ code: 'cidr-part-above-255', facts: { value } }]
  const meant = length === undefined ? plain : `${plain}/${length}`
  return [{ code: 'cidr-leading-zero', facts: { value, meant } }]
}
