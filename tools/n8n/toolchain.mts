import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The commands of which one of each row must be there to compile a native module. */
const NEEDED: Array<[what: string, ...commands: string[]]> = [
	['Python', 'python3', 'python', 'py'],
	['make', 'make', 'gmake', 'msbuild'],
	['a C++ compiler', 'c++', 'g++', 'clang++', 'cl'],
];

/** The path of a command, if it is in one of the folders on PATH. */
export function findOnPath(command: string): string | undefined {
	const extensions = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
	return (process.env.PATH ?? '')
		.split(delimiter)
		.flatMap((folder) => extensions.map((extension) => join(folder, command + extension)))
		.find((path) => existsSync(path));
}

/** What is missing of that which compiles a native module; empty where all of it is there. */
export function missingBuildTools(): string[] {
	// Visual Studio puts its compiler on no PATH; node-gyp finds it by itself.
	const needed = process.platform === 'win32' ? NEEDED.slice(0, 1) : NEEDED;
	return needed.filter(([, ...commands]) => !commands.some(findOnPath)).map(([what]) => what);
}

/** How to get the build tools on this kind of machine. */
export function howToGetBuildTools(): string {
	switch (process.platform) {
		case 'darwin':
			return 'Install the command line tools:  xcode-select --install';
		case 'win32':
			return 'Install Python 3 and the "Desktop development with C++" of Visual Studio Build Tools';
		default:
			return 'On Debian or Ubuntu:  apt-get install python3 make g++   (Fedora: dnf install python3 make gcc-c++)';
	}
}
