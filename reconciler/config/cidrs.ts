import { SocketAddress, isIPv4, isIPv6 } from 'node:net'

export type CidrCheck =
  | { readonly ok: true }
  | { readonly ok: false; readonly message: string; readonly suggestion?: string }

const OK: CidrCheck = { ok: true }
const wrong = (message: string, suggestion?: string): CidrCheck => ({
  ok: false,
  message,
  ...(suggestion === undefined ? {} : { suggestion }),
})

/**
 * An address, or a block whose address is the block's first. A leading zero is refused, since some read
 * 010.0.0.1 as 8.0.0.1, and so are host bits, since it is not known which block was meant.
 */
export const checkCidr = (text: string): CidrCheck => {
  const [address = '', length, ...more] = text.split('/')
  if (more.length > 0) return wrong('is not an address or a block')
  const bits = isIPv4(address) ? 32 : isIPv6(address) && !address.includes('%') ? 128 : 0
  if (bits === 0) return notAddress(address, length)
  if (length === undefined) return OK
  if (!/^(0|[1-9]\d{0,2})$/.test(length) || Number(length) > bits)
    return wrong(`has no length of a block after the slash; 0 to ${bits} is one`)
  return checkHostBits(address, bits, Number(length))
}

const notAddress = (address: string, length: string | undefined): CidrCheck => {
  const octets = address.split('.')
  if (octets.length !== 4 || !octets.every((octet) => /^\d{1,8}$/.test(octet)))
    return wrong('is not an address or a block')
  const plain = octets.map(Number).join('.')
  if (!isIPv4(plain)) return wrong('is not an address or a block; a part of it is above 255')
  return wrong(
    'has a leading zero, which some read as octal',
    length === undefined ? plain : `${plain}/${length}`,
  )
}

const checkHostBits = (address: string, bits: number, length: number): CidrCheck => {
  const value = numberOf(address)
  const hostBits = BigInt(bits - length)
  const network = (value >> hostBits) << hostBits
  if (network === value) return OK
  return wrong('has bits set behind its length', `${textOf(network, bits)}/${length}`)
}

const numberOf = (address: string): bigint =>
  isIPv4(address)
    ? address.split('.').reduce((sum, octet) => (sum << 8n) + BigInt(octet), 0n)
    : groupsOf(address).reduce((sum, group) => (sum << 16n) + BigInt(group), 0n)

/** The eight groups of an IPv6 address; its last two may be written as an IPv4 address. */
const groupsOf = (address: string): number[] => {
  const [head = '', tail] = address.split('::')
  const left = partsOf(head)
  if (tail === undefined) return left
  const right = partsOf(tail)
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right]
}
const partsOf = (text: string): number[] =>
  text === ''
    ? []
    : text.split(':').flatMap((part) => {
        if (!part.includes('.')) return [Number.parseInt(part, 16)]
        const value = Number(numberOf(part))
        return [Math.floor(value / 65_536), value % 65_536]
      })

const textOf = (value: bigint, bits: number): string => {
  const group = (index: number, width: bigint): number =>
    Number((value >> (BigInt(bits) - width * BigInt(index + 1))) & ((1n << width) - 1n))
  if (bits === 32) return [0, 1, 2, 3].map((index) => group(index, 8n)).join('.')
  const groups = Array.from({ length: 8 }, (_, index) => group(index, 16n).toString(16)).join(':')
  return new SocketAddress({ address: groups, family: 'ipv6' }).address
}
