import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

import { execa } from 'execa';

import { DemoError } from '../../tools/n8n/errors.mts';

/** A program that Debian has, and the package that brings it. */
export interface Wanted {
	program: string;
	package: string;
	/** Where it may be, besides the folders on PATH. */
	folders?: () => string[];
}

/** The paths of programs, in the order asked for; where one is missing, its package is installed first. */
export async function debianPrograms(...wanted: Wanted[]): Promise<string[]> {
	const missing = wanted.filter((one) => !find(one)).map((one) => one.package);
	if (missing.length > 0) await install([...new Set(missing)]);
	return wanted.map((one) => {
		const path = find(one);
		if (!path) throw new DemoError(`Debian's ${one.package} brings no ${one.program}.`);
		return path;
	});
}

function find({ program, folders }: Wanted): string | undefined {
	return [...(folders?.() ?? []), ...(process.env.PATH ?? '').split(delimiter)]
		.map((folder) => join(folder, program))
		.find((path) => existsSync(path));
}

async function install(packages: string[]): Promise<void> {
	const command = `apt-get install -y ${packages.join(' ')}`;
	if (process.getuid?.() !== 0) {
		throw new DemoError(
			`This machine lacks ${packages.join(' and ')}, and only root may install them: ${command}`,
		);
	}
	try {
		const env = { DEBIAN_FRONTEND: 'noninteractive' };
		await execa('apt-get', ['update', '-qq'], { env });
		await execa('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
			env,
		});
	} catch (error) {
		throw new DemoError(
			`This machine lacks ${packages.join(' and ')}, and they could not be installed: ${(error as Error).message}`,
			[],
			{ cause: error },
		);
	}
}
