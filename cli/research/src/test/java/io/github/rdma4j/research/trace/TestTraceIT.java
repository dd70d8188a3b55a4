// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.github.rdma4j.support.Nightly;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Tests in a guest leave recordings, and {@code trace render} shows them. */
class TestTraceIT {
    private static final String PROPERTY = "rdma4j.testbed.trace";

    @TempDir
    private Path parent;

    private static void runSample(Path directory) {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        System.setProperty(PROPERTY, directory.toString());
        try {
            LauncherFactory.create()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(selectClass(TracedSample.class))
                                    .build(),
                            summary);
        } finally {
            System.clearProperty(PROPERTY);
        }
        StringWriter failures = new StringWriter();
        summary.getSummary().printFailuresTo(new PrintWriter(failures));
        assertThat(summary.getSummary().getTestsSucceededCount())
                .as("%s", failures)
                .isEqualTo(3);
    }

    @Test
    @Nightly
    @Timeout(600)
    void aTestInAGuestLeavesARecordingThatIsShown() throws Exception {
        Path directory = parent.resolve("recordings");
        runSample(directory);
        String first = TracedSample.class.getName() + ".connects.1";
        assertThat(directory.toFile().list())
                .containsExactlyInAnyOrder(
                        first + ".jfr",
                        TracedSample.class.getName() + ".connects.2.jfr",
                        TracedSample.class.getName() + ".usesNoConnections.jfr");

        assertThat(TraceMain.run("render", directory.toString())).isZero();

        List<String> text = Files.readAllLines(directory.resolve(first + ".txt"));
        assertThat(text).anyMatch(line -> line.contains("Packets are absent"));
        // A side of the diagram is told from the other by its column.
        assertThat(text).anyMatch(line -> line.matches(" *\\d+\\.\\d+ > CONNECT id \\d+, QP \\d+.*"));
        assertThat(text).anyMatch(line -> line.matches(" *\\d+\\.\\d+ {60,}< CONNECT_REQUEST id \\d+, QP \\d+.*"));
        assertThat(text).filteredOn(line -> line.contains("> CONNECT ")).hasSize(1);
        assertThat(directory.resolve(first + ".html")).content().contains("<svg", "CONNECT_RESPONSE");
        assertThat(directory.resolve(first + ".json")).isNotEmptyFile();
        assertThat(directory.resolve(TracedSample.class.getName() + ".usesNoConnections.txt"))
                .doesNotExist();
    }
}
