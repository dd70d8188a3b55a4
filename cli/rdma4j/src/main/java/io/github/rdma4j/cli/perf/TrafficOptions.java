// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of {@code perf} that say what is sent, in which directions, over how many queue pairs, and for how long. */
final class TrafficOptions {
    @Option(
            names = {"-c", "--connection"},
            paramLabel = "TYPE",
            description = "RC, or UD for datagrams with send_lat and send_bw (${DEFAULT-VALUE}).")
    private String connection = "RC";

    @Option(
            names = {"-q", "--qp"},
            paramLabel = "N",
            description = "Queue pairs of a bandwidth program, 1 to 16384 (1); each has -n messages and the depth -t.")
    private @Nullable Integer queuePairs;

    @Option(
            names = {"-b", "--bidirectional"},
            description = "Both sides of a bandwidth program send at a time; the figures are those of both together.")
    private boolean bidirectional;

    @Option(
            names = {"-a", "--all"},
            description =
                    "Measure the sizes 2, 4, 8 and so on to 8388608, of datagrams to the MTU. Not with -D, nor for"
                            + " atomic operations.")
    private boolean allSizes;

    @Option(
            names = {"-D", "--duration"},
            paramLabel = "SECONDS",
            description =
                    "End after so many seconds instead of -n messages, 1 to 1000000; a quarter at the beginning and at"
                            + " the end does not count. Not with -a, nor with -e.")
    private @Nullable Integer seconds;

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEVICE",
            description = "Device that the addresses must lead to; the connection manager chooses it by the addresses.")
    private @Nullable String device;

    /** Adds what the command line says. */
    PerfOptions apply(PerfOptions options) {
        options.datagrams(isDatagram()).bidirectional(bidirectional).allSizes(allSizes);
        if (queuePairs != null) {
            options.queuePairs(queuePairs);
        }
        if (seconds != null) {
            options.seconds(seconds);
        }
        if (device != null) {
            options.device(device);
        }
        return options;
    }

    private boolean isDatagram() {
        return switch (connection) {
            case "RC" -> false;
            case "UD" -> true;
            default ->
                throw new IllegalArgumentException(
                        "connection " + connection + " is not RC or UD, the types that perftest has with -R");
        };
    }
}
