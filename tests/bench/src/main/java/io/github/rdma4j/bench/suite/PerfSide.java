// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.bench.turns.Turns;
import io.github.rdma4j.cli.perf.PerfOptions;
import io.github.rdma4j.cli.perf.PerfResult;
import io.github.rdma4j.cli.perf.PerfResult.BandwidthFigures;
import io.github.rdma4j.cli.perf.PerfResult.LatencyFigures;
import io.github.rdma4j.cli.perf.PerfRun;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * One side of the Java measurements of a bench, in a process that stays, so that its code stays compiled: a run of
 * {@code rdma4j perf} for each line of standard input, which says what the lines of the answer end with. It ends with
 * standard input.
 */
public final class PerfSide {
    private static final int SPEC = 4;

    private PerfSide() {}

    /**
     * Arguments: {@code client} or {@code server}, address, port, iterations of the warm-up, and the arguments of
     * {@link PerfSpec}.
     */
    public static void main(String[] arguments) throws Exception {
        List<String> words = List.of(arguments);
        boolean client = words.get(0).equals("client");
        InetSocketAddress address = new InetSocketAddress(words.get(1), Integer.parseInt(words.get(2)));
        PerfSpec spec = PerfSpec.ofArguments(words.subList(SPEC, words.size()));
        PerfOptions options =
                client ? spec.options().server(address) : spec.options().local(address);
        options.warmUp(Integer.parseInt(words.get(3)));
        Turns.serve((turns, none) -> {
            if (client) {
                print(PerfRun.client(options), turns);
            } else {
                PerfRun.server(options, listening -> turns.figure("listening", 0));
            }
            options.warmUp(0);
        });
    }

    private static void print(PerfResult result, Turns turns) {
        if (result.latency().isPresent()) {
            LatencyFigures figures = result.latency().get();
            turns.figure("typical", figures.typical());
            turns.figure("p99", figures.percentile99());
        } else {
            BandwidthFigures figures = result.bandwidth().orElseThrow();
            turns.figure("average", figures.average());
            turns.figure("rate", figures.messageRate());
        }
        turns.figure("bytes", (double) result.allocatedBytes() / result.iterations());
    }
}
