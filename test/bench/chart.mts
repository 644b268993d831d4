import { init } from 'echarts';

import { DEFAULT_BOUND, type BatchFigures, type Contender } from './batches.mts';
import { NAMES } from './report.mts';

const COLOURS: Record<Contender, string> = {
	ours: '#0f9d74',
	httpRequest: '#d9534f',
	httpRequestHeader: '#f0a35e',
	httpRequestPlain: '#b07cc6',
	bareLoop: '#8a94a6',
};

/** Time against items at 20 ms of latency, for the three, as SVG. */
export function drawTimes(figures: readonly BatchFigures[]): string {
	const chart = init(null, null, { renderer: 'svg', ssr: true, width: 720, height: 440 });
	const contenders = Object.keys(NAMES) as Contender[];
	chart.setOption({
		animation: false,
		backgroundColor: '#ffffff',
		title: { text: 'Invitations, 20 ms of service latency', left: 'center', top: 8 },
		legend: { bottom: 8 },
		grid: { left: 70, right: 30, top: 60, bottom: 110 },
		xAxis: { type: 'log', name: 'items', nameLocation: 'middle', nameGap: 28, min: 100 },
		yAxis: { type: 'log', name: 'seconds of node time', min: 0.1 },
		series: contenders.map((contender) => ({
			name: NAMES[contender],
			type: 'line',
			symbolSize: 8,
			color: COLOURS[contender],
			data: figures
				.filter(
					(figure) =>
						figure.contender === contender &&
						figure.latency === 20 &&
						figure.bound === DEFAULT_BOUND,
				)
				.map(({ items, median }) => [items, median / 1000]),
		})),
	});
	const svg = chart.renderToSVGString();
	chart.dispose();
	return svg;
}
