import type { Locator } from '@playwright/test';

import { expect, jsonOf, openForm, test } from './fixtures.mts';

const EXAMPLE = 'invite-from-a-spreadsheet';
const START = 'Upload A List';
const ROWS = 200;
const WRONG = 10;

/** A CSV file in which every twentieth row has no valid email address. */
const csv = [
	'application_id,first_name,last_name,email,phone',
	...Array.from({ length: ROWS }, (_, index) => {
		const email = index % (ROWS / WRONG) === 7 ? 'nobody' : `person${index}@example.com`;
		return `APP-${index},Person,"Number, ${index}",${email},0${index}`;
	}),
].join('\n');

export function testInviteFromASpreadsheet(): void {
	test(`${EXAMPLE}: 200 rows, ten of them wrong, come back with their outcomes, and can go in again`, async ({
		n8n: { client, baseUrl },
		service,
		candidate,
		importFile,
	}) => {
		const { id, nodes } = await importFile(EXAMPLE);
		await client.publish(id);
		const form = nodes.find(({ name }) => name === START);
		let uploads = 0;
		const upload = async (file: Parameters<Locator['setInputFiles']>[0]) => {
			await openForm(candidate, `${baseUrl}/form/${form?.webhookId}`);
			await candidate.locator('input[type=file]').setInputFiles(file);
			const download = candidate.waitForEvent('download', { timeout: 60_000 });
			await candidate.getByRole('button', { name: 'Invite' }).click();
			const path = await (await download).path();
			uploads++;
			const [{ id: latest }] = await client.waitForExecutions(id, uploads);
			const execution = await client.waitForExecution(latest);
			const rows = jsonOf(execution, 'Put Each Beside Its Row');
			const count = (outcome: string) => rows.filter((row) => row.outcome === outcome).length;
			return { name: (await download).suggestedFilename(), path, rows, count };
		};

		const first = await upload({
			name: 'list.csv',
			mimeType: 'text/csv',
			buffer: Buffer.from(csv),
		});
		expect(service.invitations).toHaveLength(ROWS - WRONG);
		expect([first.count('invited'), first.count('invalid')]).toEqual([ROWS - WRONG, WRONG]);
		expect(first.rows.map(({ row }) => row)).toEqual(first.rows.map((_, index) => index + 2));
		expect(first.rows[7]).toMatchObject({ phone: '07', problem: expect.stringMatching(/^Email/) });
		const { invitation_link } = service.invitations[0];
		expect(first.rows[0]).toMatchObject({ last_name: 'Number, 0', invitation_link });

		expect(first.name).toBe('invited.xlsx');
		const again = await upload(first.path);
		expect(service.invitations).toHaveLength(ROWS - WRONG);
		expect([again.count('already invited'), again.count('invalid')]).toEqual([ROWS - WRONG, WRONG]);
		expect(again.rows[0]).toMatchObject({ phone: '00', invitation_link });
	});
}
