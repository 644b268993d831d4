import { init } from 'echarts';

import {
	DEFAULT_CONCURRENCY,
	LIST_EXPRESSIONS,
	type BatchStats,
	type Contender,
} from './batches.mts';
import { NAMES } from './report.mts';

const COLORS: Record<Contender, string> = {
	ours: '#0f9d74',
	httpRequest: '#d9534f',
	httpRequestHeader: '#f0a35e',
	httpRequestPlain: '#b07cc6',
	fetchBaseline: '#8a94a6',
};

/** Draws time against items at 20 ms of latency for all contenders, as SVG. */
export function drawTimes(stats: readonly BatchStats[]): string {
	const chart = init(null, null, { renderer: 'svg', ssr: true, width: 720, height: 500 });
	const contenders = Object.keys(NAMES) as Contender[];
	chart.setOption({
		animation: false,
		backgroundColor: '#ffffff',
		title: { text: 'Invitations, 20 ms of service latency', left: 'center', top: 8 },
		// One to a line: without a browser the width of a name is only guessed.
		legend: { bottom: 8, left: 70, orient: 'vertical' },
		grid: { left: 70, right: 30, top: 60, bottom: 180 },
		xAxis: { type: 'log', name: 'items', nameLocation: 'middle', nameGap: 28, min: 100 },
		yAxis: { type: 'log', name: 'seconds of node time', min: 0.1 },
		series: contenders.map((contender) => ({
			name: NAMES[contender],
			type: 'line',
			symbolSize: 8,
			color: COLORS[contender],
			data: stats
				.filter(
					(one) =>
						one.contender === contender &&
						one.latency === 20 &&
						one.concurrency === DEFAULT_CONCURRENCY &&
						one.expressions === LIST_EXPRESSIONS,
				)
				.map(({ items, median }) => [items, median / 1000]),
		})),
	});
	const svg = chart.renderToSVGString();
	chart.dispose();
	return svg;
}
