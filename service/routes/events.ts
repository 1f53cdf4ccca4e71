import { requireOrganizationMember, requireProjectReader } from '../auth/permissions.ts'
import type { Context } from '../context.ts'
import { checkId, findOrganization, findProject, found } from '../found.ts'
import { defineEndpoint, one, listPage } from '../http/endpoint.ts'
import { listOf } from '../model/common.ts'
import { EventResource } from '../model/event.ts'
import { presentEvent } from '../present/event.ts'
import type { EventFilter } from '../store/event-store.ts'

const theOne = { offset: 0, limit: 1 }

/** The events of an organization, with or without those of its projects (open.projectEventsInOrganizationList). */
const ofOrganization = (context: Context, orgId: string): EventFilter => ({
  orgId,
  withoutProjects: context.settings.get('open.projectEventsInOrganizationList') === 'excluded',
  visibleAt: context.clock.now(),
})

/** Endpoint 19: newest first. */
const listOrganizationEvents = defineEndpoint({
  number: 19,
  method: 'GET',
  path: '/orgs/{orgId}/events',
  summary: 'List organization events',
  query: ['paging', 'eventType', 'includeRaw', 'minDate', 'maxDate'],
  answer: listOf(EventResource),
  handle({ context, caller, params, paging, filters }) {
    const { id: orgId } = findOrganization(context, params.orgId)
    requireOrganizationMember(context, caller, orgId)
    const filter = {
      ...ofOrganization(context, orgId),
      types: filters.eventTypes,
      from: filters.from,
      to: filters.to,
    }
    const page = context.events.page(filter, paging)
    const show = { raw: filters.includeRaw, diffs: true }
    return listPage(page, (event) => presentEvent(context, event, `/orgs/${orgId}/events`, show))
  },
})

const getProjectEvent = defineEndpoint({
  number: 20,
  method: 'GET',
  path: '/groups/{projectId}/events/{eventId}',
  summary: 'Get one project event',
  query: ['includeRaw'],
  answer: EventResource,
  handle({ context, caller, params, filters }) {
    const project = findProject(context, params.projectId)
    requireProjectReader(context, caller, project)
    const filter = { projectId: project.id, visibleAt: context.clock.now() }
    const event = findEvent(context, filter, params.eventId)
    const show = { raw: filters.includeRaw, diffs: true }
    return one(presentEvent(context, event, `/groups/${project.id}/events`, show))
  },
})

const getOrganizationEvent = defineEndpoint({
  number: 21,
  method: 'GET',
  path: '/orgs/{orgId}/events/{eventId}',
  summary: 'Get one organization event',
  query: ['includeRaw'],
  answer: EventResource,
  handle({ context, caller, params, filters }) {
    const { id: orgId } = findOrganization(context, params.orgId)
    requireOrganizationMember(context, caller, orgId)
    const event = findEvent(context, ofOrganization(context, orgId), params.eventId)
    const diffs = context.settings.get('open.diffsInOrganizationEvent') === 'present'
    return one(presentEvent(context, event, `/orgs/${orgId}/events`, { raw: filters.includeRaw, diffs }))
  },
})

const findEvent = (context: Context, filter: EventFilter, id: string) => {
  checkId(id, 'INVALID_EVENT_ID', 'event')
  const event = context.events.page({ ...filter, id }, theOne).items[0]
  return found(event, 'EVENT_NOT_FOUND', 'There is no event with this id here.', id)
}

export const eventEndpoints = [listOrganizationEvents, getProjectEvent, getOrganizationEvent]
