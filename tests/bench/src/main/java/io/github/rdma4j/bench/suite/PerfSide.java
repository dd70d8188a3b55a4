// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.cli.perf.PerfOptions;
import io.github.rdma4j.cli.perf.PerfResult;
import io.github.rdma4j.cli.perf.PerfResult.BandwidthFigures;
import io.github.rdma4j.cli.perf.PerfResult.LatencyFigures;
import io.github.rdma4j.cli.perf.PerfRun;
import io.github.rdma4j.kernel.RdmaException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
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
    public static void main(String[] arguments) throws RdmaException, InterruptedException, IOException {
        List<String> words = List.of(arguments);
        boolean client = words.get(0).equals("client");
        InetSocketAddress address = new InetSocketAddress(words.get(1), Integer.parseInt(words.get(2)));
        PerfSpec spec = PerfSpec.ofArguments(words.subList(SPEC, words.size()));
        PerfOptions options =
                client ? spec.options().server(address) : spec.options().local(address);
        options.warmUp(Integer.parseInt(words.get(3)));
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String turn = input.readLine(); turn != null; turn = input.readLine()) {
            String number = turn;
            if (client) {
                print(PerfRun.client(options), number);
            } else {
                PerfRun.server(options, listening -> System.out.println("listening " + number));
            }
            options.warmUp(0);
        }
    }

    private static void print(PerfResult result, String turn) {
        if (result.latency().isPresent()) {
            LatencyFigures figures = result.latency().get();
            System.out.println("typical " + turn + " " + figures.typical());
            System.out.println("p99 " + turn + " " + figures.percentile99());
        } else {
            BandwidthFigures figures = result.bandwidth().orElseThrow();
            System.out.println("average " + turn + " " + figures.average());
            System.out.println("rate " + turn + " " + figures.messageRate());
        }
        System.out.println("bytes " + turn + " " + (double) result.allocatedBytes() / result.iterations());
        System.out.println("end " + turn);
    }
}
