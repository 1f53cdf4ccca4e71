import { access, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** Links of a Markdown page, relative to the repository, that lead to no file or to no heading in it. */
export const brokenLinks = async (page: string, text: string): Promise<string[]> => {
  const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '')
  const judged = links
    .filter((link) => !/^[a-z]+:/.test(link))
    .map(async (link) => ((await leadsSomewhere(page, text, link)) ? [] : [link]))
  return (await Promise.all(judged)).flat()
}

const leadsSomewhere = async (page: string, text: string, link: string): Promise<boolean> => {
  const [file = '', anchor] = link.split('#')
  if (file === '') return anchorsOf(text).includes(anchor ?? '')
  const path = join(root, normalize(join(dirname(page), file)))
  if (anchor === undefined)
    return access(path).then(
      () => true,
      () => false,
    )
  return anchorsOf(await readFile(path, 'utf8').catch(() => '')).includes(anchor)
}

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '')

/** The anchors of headings, which have no punctuation. */
const anchorsOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
