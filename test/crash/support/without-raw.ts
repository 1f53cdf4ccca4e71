import type { Steer } from '../../support/proxy.ts'

/** Events without `raw`, whose content is not documented. */
export const withoutRaw: Steer = async ({ path }, forward) => {
  const passed = await forward()
  if (!path.includes('/events') || passed.status !== 200) return passed
  const list = JSON.parse(passed.body.toString())
  return {
    ...passed,
    body: JSON.stringify({
      ...list,
      results: list.results.map((event: object) => ({ ...event, raw: undefined })),
    }),
  }
}
