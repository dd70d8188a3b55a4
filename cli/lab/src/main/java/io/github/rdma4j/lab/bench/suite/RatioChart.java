// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.bench.suite;

import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLStreamException;

/**
 * The ratios as a picture: for each row with an aim a dot for the median, a line from the least to the greatest ratio of the turns, and a
 * mark for the aim. To the right Java costs more: the ratio of a row in which higher is better is turned over.
 */
final class RatioChart {
    private static final int WIDTH = 960;
    private static final int LEFT = 400;
    private static final int RIGHT = 860;
    private static final int TOP = 96;
    private static final int STEP = 24;
    private static final int BOTTOM = 74;
    private static final int GAP = 12;
    private static final int MARGIN = 20;
    private static final int TITLE_Y = 30;
    private static final int SUBTITLE_Y = 50;
    private static final int LEGEND_Y = 74;
    private static final int TEXT_RISE = 4;
    private static final int RADIUS = 5;
    private static final int HALF_MARK = 8;
    private static final int LEGEND_STEP = 170;
    private static final double NARROWEST = 1.3;
    private static final double ROOM = 1.04;
    private static final double[] TICKS = {
        0.05, 0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.5, 2, 3, 5, 10, 20, 50
    };

    private static final String AXIS = "cost of Java divided by cost of C, on a logarithmic scale";
    private static final String PLACES =
            "UML: in a guest in User Mode Linux, which runs native code. QEMU: in a guest in QEMU. here: on this machine.";

    /** Closer ticks would touch. */
    private static final int TICK_ROOM = 34;

    private static final String STYLE = """
            svg { color-scheme: light dark; --paper: #ffffff; --ink: #1f2328; --faint: #59636e; --grid: #d8dee4;
                  --met: #0969da; --missed: #bc4c00; --aim: #1a7f37; }
            @media (prefers-color-scheme: dark) {
              svg { --paper: #0d1117; --ink: #f0f6fc; --faint: #9198a1; --grid: #2f353d;
                    --met: #58a6ff; --missed: #f0883e; --aim: #3fb950; } }
            text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: var(--ink); }
            .paper { fill: var(--paper); } .title { font-size: 17px; font-weight: 600; }
            .faint { fill: var(--faint); font-size: 12px; } .end { text-anchor: end; } .mid { text-anchor: middle; }
            .grid { stroke: var(--grid); } .one { stroke: var(--faint); stroke-width: 1.5; }
            .aim { stroke: var(--aim); stroke-width: 2.5; }
            .met { fill: var(--met); stroke: var(--met); } .missed { fill: var(--missed); stroke: var(--missed); }
            .spread { stroke-width: 2; } circle.missed { fill: var(--paper); stroke-width: 2.5; }
            """;

    private final List<Result> results;
    private final double least;
    private final double most;

    RatioChart(List<Result> all) {
        results = all.stream().filter(result -> result.row().hasAim()).toList();
        double low = 1 / NARROWEST;
        double high = NARROWEST;
        for (Result result : results) {
            Spread cost = cost(result);
            low = Math.min(
                    low, Math.min(cost.least(), cost(result.row(), result.row().aim())) / ROOM);
            high = Math.max(
                    high, Math.max(cost.most(), cost(result.row(), result.row().aim())) * ROOM);
        }
        least = low;
        most = high;
    }

    /** What Java costs, in units of what C costs. */
    static double cost(Row row, double ratio) {
        return row.unit().higherIsBetter() ? 1 / ratio : ratio;
    }

    private static Spread cost(Result result) {
        Spread ratio = result.ratio();
        Row row = result.row();
        double one = cost(row, ratio.least());
        double other = cost(row, ratio.most());
        return new Spread(cost(row, ratio.median()), Math.min(one, other), Math.max(one, other));
    }

    /** The picture. */
    String svg() {
        try {
            return draw();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("a string takes everything", e);
        }
    }

    private String draw() throws XMLStreamException {
        int height = TOP + results.size() * STEP + BOTTOM;
        SvgWriter svg = new SvgWriter(WIDTH, height, "Java beside C: ratios of the suite of rdma4j", STYLE);
        svg.rectangle("paper", 0, 0, WIDTH, height);
        svg.text("title", MARGIN, TITLE_Y, "What Java costs beside C");
        svg.text(
                "faint",
                MARGIN,
                SUBTITLE_Y,
                "Java / C for times and memory, C / Java for rates: left of 1 Java is better. Median of the turns, and their spread.");
        legend(svg);
        grid(svg);
        for (int i = 0; i < results.size(); i++) {
            row(svg, results.get(i), TOP + i * STEP + STEP / 2);
        }
        return svg.end();
    }

    private static void legend(SvgWriter svg) throws XMLStreamException {
        int x = LEFT;
        svg.circle("met", x, LEGEND_Y, RADIUS);
        svg.text("faint", x + GAP, LEGEND_Y + TEXT_RISE, "meets its aim");
        x += LEGEND_STEP;
        svg.circle("missed", x, LEGEND_Y, RADIUS);
        svg.text("faint", x + GAP, LEGEND_Y + TEXT_RISE, "misses its aim");
        x += LEGEND_STEP;
        svg.line("aim", x, LEGEND_Y - HALF_MARK, x, LEGEND_Y + HALF_MARK);
        svg.text("faint", x + GAP, LEGEND_Y + TEXT_RISE, "aim");
    }

    private void grid(SvgWriter svg) throws XMLStreamException {
        int bottom = TOP + results.size() * STEP;
        double last = Double.NEGATIVE_INFINITY;
        for (double tick : TICKS) {
            boolean inside = tick >= least && tick <= most;
            boolean free = x(tick) - last >= TICK_ROOM && Math.abs(x(tick) - x(1)) >= TICK_ROOM;
            if (inside && (tick == 1 || free)) {
                last = x(tick);
                svg.line(tick == 1 ? "one" : "grid", last, TOP, last, bottom);
                svg.text("faint mid", last, bottom + STEP - TEXT_RISE, number(tick));
            }
        }
        svg.text("faint mid", (LEFT + RIGHT) / 2.0, bottom + 2 * STEP - 2 * TEXT_RISE, AXIS);
        svg.text("faint", MARGIN, bottom + 3 * STEP - 3 * TEXT_RISE, PLACES);
    }

    private void row(SvgWriter svg, Result result, int y) throws XMLStreamException {
        Row row = result.row();
        Spread cost = cost(result);
        String style = result.meetsAim() ? "met" : "missed";
        double aim = x(cost(row, row.aim()));
        svg.text("end", LEFT - GAP, y + TEXT_RISE, label(result));
        svg.line("aim", aim, y - HALF_MARK, aim, y + HALF_MARK);
        svg.line("spread " + style, x(cost.least()), y, x(cost.most()), y);
        svg.circle(style, x(cost.median()), y, RADIUS);
        svg.text("end", WIDTH - MARGIN, y + TEXT_RISE, String.format(Locale.ROOT, "%.2f", cost.median()));
    }

    private static String label(Result result) {
        return result.row().title() + " · "
                + (result.guest() == Guest.VM ? "QEMU" : result.guest() == Guest.UML ? "UML" : "here");
    }

    private double x(double cost) {
        return LEFT + (RIGHT - LEFT) * Math.log(cost / least) / Math.log(most / least);
    }

    private static String number(double tick) {
        return tick == Math.rint(tick) ? String.valueOf((int) tick) : String.valueOf(tick);
    }
}
