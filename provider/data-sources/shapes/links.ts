import { element, list, string } from '../../core/field.ts'

/** Every resource carries links; in several samples the list is empty. */
export const links = list(
  element.object({
    href: string('Address of the related resource.'),
    rel: string('Relation to it; `self` is the resource itself.'),
  }),
  'Links to related resources.',
)
