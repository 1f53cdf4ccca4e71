import { defineDataSource, limit } from '../core/data-source.ts'
import { id, string } from '../core/field.ts'
import { getList } from '../core/operation.ts'
import { links } from './shapes/links.ts'

export default defineDataSource({
  name: 'disks',
  title: 'Disks',
  summary: 'The disk partitions of a host.',
  operation: getList('/groups/{projectId}/hosts/{hostId}/disks', 16),
  shape: 'list',
  arguments: {
    projectId: id('Project that the host belongs to.').names(),
    hostId: id('The host.').names(),
    limit,
  },
  result: {
    partitionName: string('Name of the partition.'),
    links,
  },
  inventory: {
    readings: [{}],
    told: { argument: 'hostId', by: 'hostId' },
    counts: ({ hostId, partitionName }) => ({ host: hostId, partition: partitionName }),
  },
  docs: {
    example: { projectId: '5c8100bcf2a30b12ff88258f', hostId: '680ab316473d6b28f966364b947134fc' },
    notes: ['No endpoint lists hosts: the id of a host comes from an alert or an event.'],
  },
})
