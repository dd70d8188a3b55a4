// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.bench.nio.RoundTrips;
import java.util.List;

/** What a channel of NIO over rdma4j's provider takes longer than the stream below it, used by itself. */
final class NioBench {
    private static final String NAME = "nio";
    private static final double AIM = 1.3;
    private static final int FIRST_PORT = 7930;

    private static final List<Row> ROWS = RoundTrips.SIZES.stream()
            .map(size -> new Row(
                    RoundTrips.figure(size),
                    "channel of NIO, " + size + " B there and back",
                    "RsocketChannel",
                    Row.Unit.MICROSECONDS,
                    AIM))
            .toList();

    private static final TalkingBench.Program PROGRAM = new TalkingBench.Program(
            RoundTrips.class,
            FIRST_PORT,
            side -> List.of((side == Bench.Side.JAVA ? RoundTrips.Kind.NIO : RoundTrips.Kind.RSOCKET).name()),
            "RsocketChannel");

    private NioBench() {}

    static BenchPlan plan(List<Guest> guests) {
        return new BenchPlan(NAME, ROWS, guests, 1, place -> new TalkingBench(PROGRAM, ROWS, place));
    }
}
