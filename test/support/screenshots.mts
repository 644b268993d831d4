import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import type { Locator, Page } from '@playwright/test';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, '.data', 'screenshots');
const README_IMAGES = join(ROOT, 'docs', 'images');

/** n8n's short messages would hide a part of what is shown; neighbours of a node stick out of its panel. */
const TIDY = '.el-notification, [data-test-id=floating-nodes] { display: none !important; }';

/** What of the page is shown: the elements, so many pixels around them, and not more than so many down. */
interface Area {
	around: Locator[];
	margin?: number;
	height?: number;
}

/** Takes a picture of a moment, or of a part of it, into `.data/screenshots`. */
export async function takeScreenshot(page: Page, name: string, area?: Area): Promise<void> {
	await mkdir(FOLDER, { recursive: true });
	// What the mouse is over looks different.
	await page.mouse.move(1, 1);
	await page.screenshot({
		path: join(FOLDER, `${name}.png`),
		style: TIDY,
		animations: 'disabled',
		clip: area && (await boundsOf(area)),
	});
}

/** The same for a picture in the README, which is replaced where UPDATE_SCREENSHOTS=1 asks for it. */
export async function takeForReadme(page: Page, name: string, area?: Area): Promise<void> {
	await takeScreenshot(page, name, area);
	if (process.env.UPDATE_SCREENSHOTS !== '1') return;
	await copyFile(join(FOLDER, `${name}.png`), join(README_IMAGES, `${name}.png`));
}

async function boundsOf({ around, margin = 0, height = Infinity }: Area) {
	const elements = (await Promise.all(around.map((locator) => locator.all()))).flat();
	const boxes = await Promise.all(elements.map((element) => element.boundingBox()));
	const shown = boxes.filter((box) => box !== null);
	const x = Math.min(...shown.map((box) => box.x)) - margin;
	const y = Math.min(...shown.map((box) => box.y)) - margin;
	const right = Math.max(...shown.map((box) => box.x + box.width)) + margin;
	const bottom = Math.max(...shown.map((box) => box.y + box.height)) + margin;
	return { x, y, width: right - x, height: Math.min(bottom - y, height) };
}
