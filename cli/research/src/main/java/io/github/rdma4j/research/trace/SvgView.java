// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import io.github.rdma4j.research.trace.Entry.Lane;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A time line as a sequence diagram in SVG, in which time runs down. Each entry is a row {@code <g class="row …">} that
 * draws itself from its own origin, so that a page can leave rows out and move the others. Rows have equal heights; a
 * pause is written, not drawn to scale.
 */
final class SvgView {
    /** The width of the diagram in its own units. */
    static final int WIDTH = 1400;

    static final int ROW = 24;
    static final int HEAD = 44;

    /** The additional height of a row after a pause. */
    static final int PAUSE = 22;

    private static final long PAUSE_NANOSECONDS = 1_000_000_000L;
    private static final String FORE = "#1b1f24";
    private static final String AT_END = " text-anchor=\"end\"";
    private static final String MIDDLED = " text-anchor=\"middle\" font-weight=\"600\"";
    private static final String SOFT = AT_END + " fill=\"#5b6470\" font-size=\"12\"";

    /** The attributes of texts for viewers that take no style from CSS, by class. */
    private static final Map<String, String> PLAIN =
            Map.of("left", AT_END, "time", SOFT, "pause", SOFT, "name", MIDDLED, "lane-name", MIDDLED);

    private static final int FIRST_LANE = 455;
    private static final int LANE_DISTANCE = 125;
    private static final int LABEL_DISTANCE = 10;
    private static final int LONGEST_LABEL = 46;
    private static final int MIDDLE = 12;
    private static final int SLOPE = 5;
    private static final int TIP = 9;

    private final List<Entry> entries;
    private final StringBuilder out = new StringBuilder();

    private SvgView(List<Entry> entries) {
        this.entries = entries;
    }

    /** The diagram as a separate file. */
    static String file(List<Entry> entries) {
        String style = "<style>\n" + Resource.text("diagram.css") + "</style>\n"
                + "<rect class=\"back\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
        String svg = of(entries);
        int behindTag = svg.indexOf('\n') + 1;
        return svg.substring(0, behindTag) + style + svg.substring(behindTag);
    }

    /** The diagram as an element {@code svg} without a style. */
    static String of(List<Entry> entries) {
        SvgView view = new SvgView(entries);
        view.draw();
        return view.out.toString();
    }

    @SuppressWarnings("EnumOrdinal") // the lanes are declared from left to right
    private static int x(Lane lane) {
        return FIRST_LANE + LANE_DISTANCE * lane.ordinal();
    }

    private void draw() {
        int height = HEAD;
        StringBuilder rows = new StringBuilder();
        long before = entries.isEmpty() ? 0 : entries.get(0).time();
        for (Entry entry : entries) {
            long gap = entry.time() - before;
            boolean pause = gap >= PAUSE_NANOSECONDS;
            height += pause ? PAUSE : 0;
            rows.append(row(entry, height, pause ? gap : 0));
            height += ROW;
            before = entry.time();
        }
        line(format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"sequence"
                        + " diagram\" font-family=\"monospace\" font-size=\"13\" fill=\"" + FORE + "\">",
                WIDTH,
                height + ROW));
        for (Lane lane : Lane.values()) {
            line(format(
                    "<line class=\"lane\" stroke=\"#c9d0d8\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>",
                    x(lane), HEAD, x(lane), height + ROW));
        }
        out.append("<g class=\"rows\">\n").append(rows).append("</g>\n");
        head();
        out.append("</svg>\n");
    }

    private void head() {
        line(format("<g class=\"head\"><rect fill=\"#ffffff\" width=\"%d\" height=\"%d\"/>", WIDTH, HEAD - 8));
        line(text("time", 80, 24, "ms"));
        for (Lane lane : Lane.values()) {
            line(text("lane-name", x(lane), 24, lane.title()));
        }
        out.append("</g>\n");
    }

    private static String row(Entry entry, int y, long pause) {
        boolean isRefusal = entry.kind() != Entry.Kind.PROGRAM
                && (entry.name().equals(CmMessageType.REJ.name())
                        || !entry.result().isEmpty());
        String colour = colour(entry.kind(), isRefusal);
        StringBuilder row = new StringBuilder(format(
                "<g class=\"row %s%s\" fill=\"%s\" stroke=\"none\" data-n=\"%d\" tabindex=\"0\""
                        + " transform=\"translate(0 %d)\"><rect width=\"%d\" height=\"%d\" fill=\"none\"/>",
                entry.kind().name().toLowerCase(Locale.ROOT),
                isRefusal ? " failed" : "",
                colour,
                entry.number(),
                y,
                WIDTH,
                ROW));
        String whole = entry.details().getOrDefault(Entry.COMMAND_LINE, "");
        if (!whole.isEmpty()) {
            row.append("<title>").append(escaped(whole)).append("</title>");
        }
        if (pause != 0) {
            row.append(text("pause", 80, -7, "\u22ee " + seconds(pause)));
        }
        row.append(text("time", 80, MIDDLE + 4, format("%.3f", entry.time() / 1e6)));
        String drawing = entry.kind() == Entry.Kind.MESSAGE ? message(entry) : program(entry);
        row.append(drawing.replace("@COLOUR@", colour));
        return row.append("</g>\n").toString();
    }

    /** For viewers that know no variables of CSS; the same as in the light scheme of {@code diagram.css}. */
    private static String colour(Entry.Kind kind, boolean isFailed) {
        if (isFailed) {
            return "#c21d2b";
        }
        return switch (kind) {
            case PROGRAM -> FORE;
            case COMMAND -> "#0b5cad";
            case QUERY -> "#8a939e";
            case EVENT -> "#1a7a3c";
            case MESSAGE -> "#b34d00";
        };
    }

    private static String seconds(long nanoseconds) {
        return format("%.1f s", nanoseconds / 1e9);
    }

    private static String message(Entry entry) {
        int middle = (x(entry.from()) + x(entry.to())) / 2;
        String label = shortened(entry.label(), LONGEST_LABEL * 2 / 3);
        return arrow(x(entry.from()), MIDDLE + 1, x(entry.to()), MIDDLE + SLOPE + 1) + text("name", middle, 9, label);
    }

    private static String program(Entry entry) {
        boolean isClient = entry.from().compareTo(Lane.WIRE) < 0;
        Lane lane = isClient ? Lane.CLIENT : Lane.SERVER;
        String label = shortened(entry.label(), LONGEST_LABEL);
        String text = isClient
                ? text("left", x(lane) - LABEL_DISTANCE, MIDDLE + 4, label)
                : text("right", x(lane) + LABEL_DISTANCE, MIDDLE + 4, label);
        String mark = entry.kind() == Entry.Kind.PROGRAM
                ? format("<circle cx=\"%d\" cy=\"%d\" r=\"4\"/>", x(lane), MIDDLE)
                : arrow(x(entry.from()), MIDDLE, x(entry.to()), MIDDLE);
        return mark + text;
    }

    private static String arrow(int fromX, int fromY, int toX, int toY) {
        return format(
                "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"@COLOUR@\"/><path d=\"M%d %dl%d -4v8z\"/>",
                fromX, fromY, toX, toY, toX, toY, toX > fromX ? -TIP : TIP);
    }

    private static String text(String style, int x, int y, String text) {
        String plain = PLAIN.getOrDefault(style, "");
        return format("<text class=\"%s\"%s x=\"%d\" y=\"%d\">%s</text>", style, plain, x, y, escaped(text));
    }

    private static String shortened(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 1) + "\u2026";
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    private void line(String text) {
        out.append(text).append('\n');
    }
}
