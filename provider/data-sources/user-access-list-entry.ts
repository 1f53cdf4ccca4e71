import { cidr, defineDataSource, limit } from '../core/data-source.ts'
import { id } from '../core/field.ts'
import { getList } from '../core/operation.ts'
import { accessListEntry } from './shapes/access-list-entry.ts'

export default defineDataSource({
  name: 'user_access_list_entry',
  title: 'Access-list entry of a user',
  summary: 'An entry of the current user’s access list.',
  operation: getList('/users/{userId}/accessList/{accessListEntry}', 13),
  shape: 'list',
  unpaged: true,
  arguments: {
    userId: id('The current user: the one the API key belongs to.').names(),
    accessListEntry: cidr('Address, or block in CIDR notation, of the entry.').names(),
    limit,
  },
  // Whether a missing entry is an error or an empty list is not documented; here it is an empty list.
  emptyOn: ['ACCESS_LIST_NOT_FOUND'],
  keyNeeds: 'to be a personal one of this user',
  result: accessListEntry,
  docs: {
    example: { userId: '5d2e1f0a9b8c7d6e5f4a3b2c', accessListEntry: '203.0.113.5' },
    notes: [
      'The result has one entry or none.',
      'An entry is found only by its own address; an address that lies within a stored block finds nothing.',
      'A block is sent as given, with its slash encoded.',
    ],
  },
})
