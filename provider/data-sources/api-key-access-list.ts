import { defineDataSource, limit } from '../core/data-source.ts'
import { id } from '../core/field.ts'
import { getList } from '../core/operation.ts'
import { accessListEntry } from './shapes/access-list-entry.ts'

export default defineDataSource({
  name: 'api_key_access_list',
  title: 'Access list of an API key',
  summary: 'The addresses and blocks an API key may be used from.',
  operation: getList('/orgs/{orgId}/apiKeys/{apiKeyId}/accessList', 1),
  shape: 'list',
  arguments: {
    orgId: id('Organization that owns the key.').names(),
    apiKeyId: id('The key.').names(),
    limit,
  },
  result: accessListEntry,
  inventory: {
    readings: [{}],
    told: { argument: 'apiKeyId', by: 'apiKeyId' },
    counts: ({ apiKeyId, cidrBlock, ipAddress, lastUsed }) => ({
      key: apiKeyId,
      from: cidrBlock ?? ipAddress,
      lastUsed,
    }),
  },
  docs: {
    example: { orgId: '5980cfdf0b6d97029d82f86e', apiKeyId: '5c47503320eef5699e1cce8f' },
    notes: ['No endpoint changes an access list; to compare one, declare `accessList` of an API key.'],
  },
})
