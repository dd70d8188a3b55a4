// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.bench.turns.Spread;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The findings as a table with lines {@code RATIO name value}, and as an object for JSON. */
final class SuiteReport {
    private static final double SMALL = 100;

    private final Findings findings;
    private final String host;
    private final String load;

    /**
     * A report.
     *
     * @param host the processors of the machine
     * @param load of the machine before the suite
     */
    SuiteReport(Findings findings, String host, String load) {
        this.findings = findings;
        this.host = host;
        this.load = load;
    }

    void print(PrintWriter out) {
        out.printf("machine: %s, load %s before the suite%n", host, load);
        for (Guest guest : Guest.values()) {
            table(guest, out);
        }
        remarks("bytes allocated on the heap per operation, least of the turns", text(findings.bytes()), out);
        remarks("remarks", findings.notes(), out);
        remarks("left out", findings.leftOut(), out);
        remarks("failed", findings.failures(), out);
        out.println();
        for (Result result :
                findings.results().stream().filter(Result::isCompared).toList()) {
            out.printf(
                    Locale.ROOT,
                    "RATIO %s %.3f%n",
                    result.name(),
                    result.ratio().median());
        }
        if (!findings.bytes().isEmpty()) {
            out.printf(Locale.ROOT, "RATIO bytes_per_operation %.3f%n", mostBytes());
        }
        out.flush();
    }

    /** Of the bench whose operations allocate most. */
    private double mostBytes() {
        return findings.bytes().values().stream()
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
    }

    private void table(Guest guest, PrintWriter out) {
        List<Result> rows = findings.results().stream()
                .filter(result -> result.guest() == guest)
                .toList();
        if (rows.isEmpty()) {
            return;
        }
        Machine machine = findings.machines().get(guest);
        out.printf("%n%s%n", machine == null ? guest.option() : machine.text());
        out.printf(
                "%-44s %-22s %4s %10s %10s %7s  %-13s %-7s%n",
                "", "beside", "", "C", "Java", "Java/C", "of the turns", "aim");
        rows.forEach(result -> line(result, out));
    }

    private static void line(Result result, PrintWriter out) {
        Row row = result.row();
        String ratio = "-";
        String spread = "";
        if (result.isCompared()) {
            Spread of = result.ratio();
            ratio = String.format(Locale.ROOT, "%.3f", of.median());
            spread = String.format(Locale.ROOT, "%.3f-%.3f", of.least(), of.most());
        }
        out.printf(
                "%-44s %-22s %4s %10s %10s %7s  %-13s %-7s%s%n",
                row.title(),
                row.beside(),
                row.unit().symbol(),
                result.isCompared() ? figure(result.ofC().median()) : "-",
                figure(result.ofJava().median()),
                ratio,
                spread,
                row.aimText(),
                result.meetsAim() ? "" : " missed");
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, Math.abs(value) < SMALL ? "%.2f" : "%.0f", value);
    }

    private static Map<String, String> text(Map<String, Double> numbers) {
        Map<String, String> texts = new LinkedHashMap<>();
        numbers.forEach((name, value) -> texts.put(name, String.format(Locale.ROOT, "%.3f", value)));
        return texts;
    }

    private static void remarks(String title, Map<String, String> remarks, PrintWriter out) {
        if (!remarks.isEmpty()) {
            out.printf("%n%s:%n", title);
            remarks.forEach((name, text) -> out.printf("  %-24s %s%n", name, text));
        }
    }

    /** The findings for programs. */
    Map<String, Object> fields() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("benchmark", "all");
        all.put("machine", host);
        all.put("load_before", load);
        Map<String, Object> guests = new LinkedHashMap<>();
        findings.machines().forEach((guest, machine) -> guests.put(guest.option(), fields(machine)));
        all.put("guests", guests);
        all.put("rows", findings.results().stream().map(SuiteReport::fields).toList());
        all.put("bytes_per_operation", findings.bytes());
        all.put("remarks", findings.notes());
        all.put("left_out", findings.leftOut());
        all.put("failed", findings.failures());
        return all;
    }

    private static Map<String, Object> fields(Machine machine) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("processors", machine.processors());
        fields.put("kernel", machine.kernel());
        fields.put("device", machine.device());
        fields.put("processor_count", machine.count());
        return fields;
    }

    private static Map<String, Object> fields(Result result) {
        Row row = result.row();
        boolean compared = result.isCompared();
        @Nullable Spread ratio = compared ? result.ratio() : null;
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("name", result.name());
        fields.put("title", row.title());
        fields.put("beside", row.beside());
        fields.put("guest", result.guest().option());
        fields.put("unit", row.unit().symbol());
        fields.put("better", row.unit().higherIsBetter() ? "higher" : "lower");
        fields.put("c", result.c());
        fields.put("java", result.java());
        fields.put("c_median", compared ? result.ofC().median() : null);
        fields.put("java_median", result.ofJava().median());
        fields.put("ratio", ratio == null ? null : ratio.median());
        fields.put("ratio_least", ratio == null ? null : ratio.least());
        fields.put("ratio_most", ratio == null ? null : ratio.most());
        fields.put("aim", row.hasAim() ? row.aim() : null);
        fields.put("meets_aim", (compared && row.hasAim()) ? result.meetsAim() : null);
        return new LinkedHashMap<>(fields);
    }
}
