// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import io.github.rdma4j.cli.verify.Result.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/** The report in Markdown. The file is complete after each check, so that a run that crashes leaves its results. */
final class Report {
    private static final int MOST_DETAIL = 4000;

    private final Path file;
    private final Map<String, String> facts;
    private final Secrets secrets;
    private final List<Result> results = new CopyOnWriteArrayList<>();
    private final ReentrantLock writing = new ReentrantLock();
    private volatile String ending = "The run did not come to its end.";

    /** Creates a report about {@code facts}. */
    Report(Path file, Map<String, String> facts, Secrets secrets) {
        this.file = file;
        this.facts = facts;
        this.secrets = secrets;
    }

    /** Adds a result and writes the file. */
    void add(Result result) throws IOException {
        results.add(result);
        write();
    }

    /** Records how the run ended, and writes the file. */
    void end(String how) throws IOException {
        ending = how;
        write();
    }

    long count(Outcome outcome) {
        return results.stream().filter(result -> result.is(outcome)).count();
    }

    /** Returns the counts, for example {@code 40 passed, 1 FAILED, 3 left out}. */
    String counts() {
        return count(Outcome.PASSED) + " passed, " + count(Outcome.FAILED) + " FAILED, " + count(Outcome.LEFT_OUT)
                + " left out";
    }

    /** Also called when the program is interrupted. */
    private void write() throws IOException {
        writing.lock();
        try {
            Path part = Path.of(file + ".part");
            Files.writeString(part, secrets.hide(text()));
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            writing.unlock();
        }
    }

    private String text() {
        List<String> lines = new ArrayList<>();
        lines.add("## rdma4j verify card: " + counts());
        lines.add("");
        lines.add("| | |");
        lines.add("|---|---|");
        facts.forEach((name, value) -> lines.add("| " + name + " | " + cell(value) + " |"));
        lines.add("");
        lines.add("| check | result | time | |");
        lines.add("|---|---|---:|---|");
        for (Result result : results) {
            lines.add(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %s |",
                    result.name(),
                    result.is(Outcome.FAILED) ? "**FAILED**" : result.outcome(),
                    time(result),
                    cell(result.summary())));
        }
        lines.add("");
        for (Result result : results) {
            if (result.is(Outcome.FAILED)) {
                lines.addAll(List.of("### " + result.name(), "", "```", shortened(result.detail()), "```", ""));
            }
        }
        lines.add(ending);
        return String.join("\n", lines) + "\n";
    }

    private static String time(Result result) {
        return result.is(Outcome.LEFT_OUT)
                ? ""
                : String.format(Locale.ROOT, "%,d ms", result.time().toMillis());
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("\n", " ");
    }

    private static String shortened(String text) {
        return text.length() <= MOST_DETAIL ? text : text.substring(0, MOST_DETAIL) + "\n...";
    }
}
