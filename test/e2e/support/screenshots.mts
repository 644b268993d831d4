import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import type { Locator, Page } from '@playwright/test';

import { findOnPath } from './programs.mts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FOLDER = join(ROOT, '.data', 'screenshots');
const README_IMAGES = join(ROOT, 'docs', 'images');

const SECONDS_PER_PICTURE = 2;
const GIF_WIDTH = 1000;

/**
 * Hides n8n's notifications and its advice for production, which cover part of the picture, and a node's neighbors,
 * which stick out of its panel.
 */
const TIDY = `.el-notification, [data-test-id=floating-nodes],
	:is([data-reka-popper-content-wrapper], .el-popper):has([data-test-id=suggested-action-item])
	{ display: none !important; }`;

/** The part of the page to show: elements, a margin around them, and the maximum height. */
interface Area {
	around: Locator[];
	margin?: number;
	height?: number;
}

/** A picture takes seconds without a graphics card, so tests take them only when asked. */
const isAsked = process.env.UPDATE_SCREENSHOTS === '1';

/** Saves a picture of the page, or of an area, in `.data/screenshots` if UPDATE_SCREENSHOTS=1. */
export async function takeScreenshot(page: Page, name: string, area?: Area): Promise<void> {
	if (!isAsked) return;
	await mkdir(FOLDER, { recursive: true });
	// Elements under the mouse look different.
	await page.mouse.move(1, 1);
	await page.screenshot({
		path: join(FOLDER, `${name}.png`),
		style: TIDY,
		animations: 'disabled',
		clip: area && (await boundsOf(area)),
	});
}

/** Also replaces the picture in the README. */
export async function takeForReadme(page: Page, name: string, area?: Area): Promise<void> {
	if (!isAsked) return;
	await takeScreenshot(page, name, area);
	await copyFile(join(FOLDER, `${name}.png`), join(README_IMAGES, `${name}.png`));
}

/**
 * Makes an animation of earlier screenshots for the README if UPDATE_SCREENSHOTS=1 and ffmpeg is installed.
 */
export async function animateForReadme(name: string, screenshots: string[]): Promise<void> {
	if (!isAsked) return;
	const ffmpeg = findOnPath('ffmpeg');
	if (!ffmpeg) return console.warn(`No ffmpeg on the PATH: ${name}.gif stays as it is`);
	const list = join(FOLDER, `${name}.txt`);
	// ffmpeg shows the last picture only if it is named twice.
	const files = [...screenshots, screenshots.at(-1)].map((name) => `file '${name}.png'`);
	await writeFile(list, files.join(`\nduration ${SECONDS_PER_PICTURE}\n`));
	const onePalette = `scale=${GIF_WIDTH}:-1:flags=lanczos,split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none`;
	const gif = join(README_IMAGES, `${name}.gif`);
	await promisify(execFile)(ffmpeg, [
		...['-y', '-f', 'concat', '-i', list],
		...['-filter_complex', onePalette, gif],
	]);
}

async function boundsOf({ around, margin = 0, height = Infinity }: Area) {
	await Promise.all(around.map(async (locator) => await locator.first().waitFor()));
	const elements = (await Promise.all(around.map((locator) => locator.all()))).flat();
	const boxes = await Promise.all(elements.map((element) => element.boundingBox()));
	const visible = boxes.filter((box) => box !== null);
	const x = Math.min(...visible.map((box) => box.x)) - margin;
	const y = Math.min(...visible.map((box) => box.y)) - margin;
	const right = Math.max(...visible.map((box) => box.x + box.width)) + margin;
	const bottom = Math.max(...visible.map((box) => box.y + box.height)) + margin;
	return { x, y, width: right - x, height: Math.min(bottom - y, height) };
}
