// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Recordings of the programs of rdma-core in two guests of User Mode Linux: what the recorder wrote, and the frames of the
 * connection manager, of IGMP, of the clocks and, in the sample of InfiniBand, of the group.
 */
public final class Samples {
    /** The names of all samples. */
    public static final List<String> NAMES =
            List.of("normal", "reject", "datagram", "join", "sendonly", "migrate", "infiniband");

    private Samples() {}

    /** The files of a sample. */
    public static Path directory(String name) {
        return Path.of("src/test/resources/io/github/rdma4j/research/trace", name)
                .toAbsolutePath();
    }

    /** A sample as it was recorded. */
    public static Trace trace(String name) throws IOException {
        return Trace.read(directory(name));
    }

    /** A sample in its order. */
    public static List<Entry> entries(String name) throws IOException {
        return Timeline.of(trace(name));
    }
}
