// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import io.github.rdma4j.research.trace.Step.Side;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The recording of a run.
 *
 * @param steps of both programs
 * @param messages on the wire, by time
 */
public record Trace(List<Step> steps, List<WireMessage> messages) {
    /** Where the capture is. */
    public static final String CAPTURE = "wire.pcap";

    /** Reads the files that a run left in a directory. */
    public static Trace read(Path directory) throws IOException {
        List<Step> steps = new ArrayList<>();
        for (Side side : Side.values()) {
            String name = side.name().toLowerCase(Locale.ROOT);
            steps.addAll(CallRecording.read(directory.resolve(name), side));
            try (DirectoryStream<Path> flights = Files.newDirectoryStream(directory, name + "-*.jfr")) {
                for (Path flight : flights) {
                    steps.addAll(FlightRecording.read(flight, FlightRecording.actor(flight, side)));
                }
            }
        }
        steps.sort(Comparator.comparingLong(Step::time));
        Path capture = directory.resolve(CAPTURE);
        return new Trace(steps, Files.exists(capture) ? WireMessages.read(capture) : List.of());
    }
}
