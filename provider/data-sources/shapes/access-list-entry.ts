import { instant, integer, string } from '../../core/field.ts'
import { links } from './links.ts'

/** An entry of a key's or of a user's access list (endpoints 1 and 13). */
export const accessListEntry = {
  cidrBlock: string('Range of addresses in CIDR notation.'),
  ipAddress: string('Address in the access list. Can be null.'),
  count: integer('Number of requests from this address.'),
  created: instant('When the entry was added.'),
  lastUsed: instant(
    'Time of the most recent request from this address to something that the list protects. Absent before the first one.',
  ),
  lastUsedAddress: string('Address of the most recent call. Absent before the first one.'),
  links,
}
