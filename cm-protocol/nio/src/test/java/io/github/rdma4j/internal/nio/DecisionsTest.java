// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which way connections go is recorded and counted. */
class DecisionsTest {
    private static final String EVENT = "io.github.rdma4j.ChannelRoute";

    @TempDir
    private Path folder;

    @Test
    void connectsAndAcceptsAreRecordedWithTheirReasonAndCounted() throws Exception {
        SelectorProvider provider = new StreamProvider(Rules.parse("a test"), null);
        Path file = folder.resolve("test.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(EVENT).withoutThreshold();
            recording.start();
            Pair.open(provider, Pair.loopback()).close();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(EVENT))
                .toList();
        assertThat(events).extracting(event -> event.getString("side")).containsExactlyInAnyOrder("connect", "accept");
        assertThat(events).allMatch(event -> event.getString("transport").equals("TCP"));
        assertThat(events).extracting(event -> event.getString("reason")).contains("a loopback address");
        assertThat(events).allMatch(event -> event.getString("peer").startsWith("127.0.0.1:"));
        assertThat(provider)
                .asString()
                .endsWith("connected 0 over RDMA and 1 over TCP, accepted 0 over RDMA and 1 over TCP");
    }
}
